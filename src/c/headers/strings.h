#ifndef PROVEST_STRINGS_H
#define PROVEST_STRINGS_H
#include <provest/size.h>
int strcasecmp(const char *left, const char *right);
int strncasecmp(const char *left, const char *right, size_t most);
void bzero(void *target, size_t size);
#endif
