#ifndef PROVEST_STRING_H
#define PROVEST_STRING_H
#include <provest/size.h>

void *memcpy(void *restrict target, const void *restrict source, size_t size);
void *memmove(void *target, const void *source, size_t size);
void *memset(void *target, int byte, size_t size);
int memcmp(const void *left, const void *right, size_t size);
void *memchr(const void *bytes, int byte, size_t size);
void *memrchr(const void *bytes, int byte, size_t size);

size_t strlen(const char *text);
size_t strnlen(const char *text, size_t most);
char *strcpy(char *restrict target, const char *restrict source);
char *stpcpy(char *restrict target, const char *restrict source);
char *strncpy(char *restrict target, const char *restrict source, size_t size);
char *strcat(char *restrict target, const char *restrict source);
char *strncat(char *restrict target, const char *restrict source, size_t most);
int strcmp(const char *left, const char *right);
int strncmp(const char *left, const char *right, size_t most);
int strcoll(const char *left, const char *right);
char *strchr(const char *text, int c);
char *strrchr(const char *text, int c);
char *strstr(const char *text, const char *part);
size_t strspn(const char *text, const char *accepted);
size_t strcspn(const char *text, const char *rejected);
char *strpbrk(const char *text, const char *accepted);
char *strtok(char *restrict text, const char *restrict separators);
char *strtok_r(char *restrict text, const char *restrict separators, char **restrict rest);
char *strdup(const char *text);
char *strndup(const char *text, size_t most);
char *strerror(int number);
int strerror_r(int number, char *target, size_t size);
size_t strxfrm(char *restrict target, const char *restrict source, size_t size);
char *strsep(char **restrict text, const char *restrict separators);
char *stpncpy(char *restrict target, const char *restrict source, size_t size);
size_t strlcpy(char *restrict target, const char *restrict source, size_t size);
size_t strlcat(char *restrict target, const char *restrict source, size_t size);
void *memccpy(void *restrict target, const void *restrict source, int byte, size_t size);
#ifdef _GNU_SOURCE
char *strcasestr(const char *text, const char *part);
char *strchrnul(const char *text, int c);
void *memmem(const void *bytes, size_t size, const void *part, size_t partSize);
void *mempcpy(void *restrict target, const void *restrict source, size_t size);
void *rawmemchr(const void *bytes, int byte);
#ifndef basename
char *basename(const char *path);
#endif
#endif

#include <strings.h>
#endif
