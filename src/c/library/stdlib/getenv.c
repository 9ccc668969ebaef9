#include <stdlib.h>
long __provest_variable_length(const char *name);
void __provest_variable_copy(const char *name, char *target, size_t size);
void __provest_check_text(const char *text);
/* As long a value as fits; eight of them are kept. */
char *getenv(const char *name) {
  static char values[8][1024];
  static unsigned next;
  long length;
  char *value;
  __provest_check_text(name);
  length = __provest_variable_length(name);
  if (length < 0) return NULL;
  value = values[next++ % 8];
  if (length > 1023) length = 1023;
  __provest_variable_copy(name, value, (size_t)length);
  value[length] = 0;
  return value;
}
