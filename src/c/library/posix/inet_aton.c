#include <arpa/inet.h>
#include <errno.h>
#include <provest/answers.h>
#include <stdlib.h>
/* One to four numbers, decimal, octal or hexadecimal; the last one fills what is left. */
int inet_aton(const char *text, struct in_addr *result) {
  static const unsigned long most[4] = { 0xffffffff, 0xffffff, 0xffff, 0xff };
  unsigned long parts[4];
  uint32_t all = 0;
  int count = 0;
  int i;
  __provest_check_text(text);
  for (;;) {
    char *end;
    if (*text < '0' || '9' < *text) return 0;
    parts[count++] = strtoul(text, &end, 0);
    text = end;
    if (*text != '.') break;
    if (count == 4 || parts[count - 1] > 255) return 0;
    text++;
  }
  if (*text != 0 && *text != ' ' && (*text < 9 || 13 < *text)) return 0;
  if (parts[count - 1] > most[count - 1]) return 0;
  for (i = 0; i < count - 1; i++) all |= (uint32_t)parts[i] << (24 - 8 * i);
  all |= (uint32_t)parts[count - 1];
  if (result != 0) result->s_addr = htonl(all);
  return 1;
}
