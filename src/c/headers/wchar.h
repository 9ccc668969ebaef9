#ifndef PROVEST_WCHAR_H
#define PROVEST_WCHAR_H
/* Wide strings in memory. There are no wide streams and no conversions. */
#include <provest/size.h>
typedef __WCHAR_TYPE__ wchar_t;
typedef __WINT_TYPE__ wint_t;
#define WCHAR_MIN __WCHAR_MIN__
#define WCHAR_MAX __WCHAR_MAX__
#define WEOF ((wint_t)-1)

size_t wcslen(const wchar_t *text);
wchar_t *wcscpy(wchar_t *restrict target, const wchar_t *restrict source);
wchar_t *wcscat(wchar_t *restrict target, const wchar_t *restrict source);
int wcscmp(const wchar_t *left, const wchar_t *right);
int wcsncmp(const wchar_t *left, const wchar_t *right, size_t most);
wchar_t *wcschr(const wchar_t *text, wchar_t c);
wchar_t *wmemcpy(wchar_t *restrict target, const wchar_t *restrict source, size_t count);
wchar_t *wmemset(wchar_t *target, wchar_t c, size_t count);
#endif
