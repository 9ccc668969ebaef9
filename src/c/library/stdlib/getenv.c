#include <stdlib.h>
long __provest_variable_length(const char *name);
void __provest_variable_copy(const char *name, char *target, size_t size);
void __provest_check_text(const char *text);
char *getenv(const char *name) {
  long length;
  char *value;
  __provest_check_text(name);
  length = __provest_variable_length(name);
  if (length < 0 || length > 1000000) return NULL;
  value = malloc((size_t)length + 1);
  if (value == NULL) return NULL;
  __provest_variable_copy(name, value, (size_t)length + 1);
  value[length] = 0;
  return value;
}
