#ifndef PROVEST_STRINGS_H
#define PROVEST_STRINGS_H
#include <provest/size.h>
int strcasecmp(const char *left, const char *right);
int strncasecmp(const char *left, const char *right, size_t most);
void bzero(void *target, size_t size);
char *index(const char *text, int c);
char *rindex(const char *text, int c);
int bcmp(const void *left, const void *right, size_t size);
void bcopy(const void *source, void *target, size_t size);
int ffs(int value);
#endif
