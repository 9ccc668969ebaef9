#include <provest/files.h>
void __provest_check_text(const char *text) {
  while (*text != 0) text++;
}
