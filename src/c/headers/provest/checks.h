#ifndef PROVEST_CHECKS_H
#define PROVEST_CHECKS_H
#include <provest/size.h>
/* Checks that these bytes can be read, or written. */
void __provest_check_read(const void *bytes, size_t size);
void __provest_check_write(void *bytes, size_t size);
/* Checks that so many bytes were copied from where they do not overlap the place they went to. */
void __provest_check_apart(const void *target, const void *source, size_t size);
/* Checks that a text ends. */
void __provest_check_text(const char *text);
#endif
