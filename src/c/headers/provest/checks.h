#ifndef PROVEST_CHECKS_H
#define PROVEST_CHECKS_H
#include <provest/size.h>
/* Checks that these bytes can be read, or written. */
void __provest_check_read(const void *bytes, size_t size);
void __provest_check_write(void *bytes, size_t size);
/* Checks that bytes which were written do not overlap those from which they were copied. */
void __provest_check_apart(const void *target, size_t written, const void *source, size_t taken);
/* Checks that a text ends. */
void __provest_check_text(const char *text);
#endif
