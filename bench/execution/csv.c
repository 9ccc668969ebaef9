/* Lines of CSV with quoted fields, split into a local array of fields and summed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct field { char text[24]; size_t length; int quoted; };
static const char *const lines[] = {
  "id,name,amount,note", "1,\"Smith, John\",42,ok", "2,Ann,7,\"said \"\"hi\"\"\"", "33,Bob,1200,", "4,,0,\"a,b,c\"",
};
static int split(const char *line, struct field *fields, int most) {
  int count = 0;
  const char *at = line;
  while (count < most) {
    struct field *f = &fields[count++];
    f->length = 0;
    f->quoted = 0;
    if (*at == '"') {
      f->quoted = 1;
      at++;
      while (*at) {
        if (*at == '"') {
          if (at[1] != '"') break;
          at++;
        }
        if (f->length < sizeof f->text - 1) f->text[f->length++] = *at;
        at++;
      }
      if (*at == '"') at++;
    } else {
      while (*at && *at != ',') {
        if (f->length < sizeof f->text - 1) f->text[f->length++] = *at;
        at++;
      }
    }
    f->text[f->length] = '\0';
    if (*at != ',') break;
    at++;
  }
  return count;
}
int main(void) {
  unsigned long sum = 0;
  for (int i = 0; i < SIZE; i++) {
    struct field fields[6];
    int n = split(lines[i % 5], fields, 6);
    for (int k = 0; k < n; k++) {
      if (fields[k].quoted) sum += 3;
      sum = sum * 31 + fields[k].length + (unsigned char)fields[k].text[0];
    }
    if (n > 2) sum += (unsigned long)atoi(fields[2].text);
  }
  printf("%lu\n", sum);
  return 0;
}
