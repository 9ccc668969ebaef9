#ifndef PROVEST_UCHAR_H
#define PROVEST_UCHAR_H
#include <wchar.h>
typedef __CHAR16_TYPE__ char16_t;
typedef __CHAR32_TYPE__ char32_t;
size_t mbrtoc16(char16_t *restrict target, const char *restrict text, size_t most, mbstate_t *restrict state);
size_t c16rtomb(char *restrict target, char16_t c, mbstate_t *restrict state);
size_t mbrtoc32(char32_t *restrict target, const char *restrict text, size_t most, mbstate_t *restrict state);
size_t c32rtomb(char *restrict target, char32_t c, mbstate_t *restrict state);
#endif
