#include <stdlib.h>
long __provest_variable_length(const char *name);
void __provest_variable_copy(const char *name, char *target, size_t size);
void __provest_check_text(const char *text);
/* As long a value as Linux hands to a program, or as an object can be; eight short ones are kept, and a long one. */
char *getenv(const char *name) {
  static char values[8][1024];
  static char great[sizeof(void *) < 8 ? 32767 : 131072];
  static unsigned next;
  long length;
  char *value;
  __provest_check_text(name);
  length = __provest_variable_length(name);
  if (length < 0) return NULL;
  if (length > (long)sizeof great - 1) length = (long)sizeof great - 1;
  value = length < (long)sizeof values[0] ? values[next++ % 8] : great;
  __provest_variable_copy(name, value, (size_t)length);
  value[length] = 0;
  return value;
}
