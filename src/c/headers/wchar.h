#ifndef PROVEST_WCHAR_H
#define PROVEST_WCHAR_H
/* Wide strings in memory, and conversions in the "C" locale. There are no wide streams. */
#include <provest/size.h>
typedef __WCHAR_TYPE__ wchar_t;
typedef __WINT_TYPE__ wint_t;
typedef struct { int provest_unused; } mbstate_t;
#ifndef NULL
#define NULL ((void *)0)
#endif
#define WCHAR_MIN __WCHAR_MIN__
#define WCHAR_MAX __WCHAR_MAX__
#define WEOF ((wint_t)-1)

size_t wcslen(const wchar_t *text);
wchar_t *wcscpy(wchar_t *restrict target, const wchar_t *restrict source);
wchar_t *wcscat(wchar_t *restrict target, const wchar_t *restrict source);
int wcscmp(const wchar_t *left, const wchar_t *right);
int wcsncmp(const wchar_t *left, const wchar_t *right, size_t most);
wchar_t *wcschr(const wchar_t *text, wchar_t c);
wchar_t *wcsrchr(const wchar_t *text, wchar_t c);
wchar_t *wcsstr(const wchar_t *text, const wchar_t *wanted);
wchar_t *wcsncpy(wchar_t *restrict target, const wchar_t *restrict source, size_t most);
wchar_t *wcsncat(wchar_t *restrict target, const wchar_t *restrict source, size_t most);
size_t wcsspn(const wchar_t *text, const wchar_t *accepted);
size_t wcscspn(const wchar_t *text, const wchar_t *rejected);
wchar_t *wcspbrk(const wchar_t *text, const wchar_t *accepted);
wchar_t *wmemchr(const wchar_t *block, wchar_t c, size_t count);
int wmemcmp(const wchar_t *left, const wchar_t *right, size_t count);
wchar_t *wmemmove(wchar_t *target, const wchar_t *source, size_t count);
wint_t btowc(int c);
int wctob(wint_t c);
int mbsinit(const mbstate_t *state);
size_t mbrlen(const char *restrict text, size_t most, mbstate_t *restrict state);
size_t mbrtowc(wchar_t *restrict target, const char *restrict text, size_t most, mbstate_t *restrict state);
size_t wcrtomb(char *restrict target, wchar_t c, mbstate_t *restrict state);
size_t mbsrtowcs(wchar_t *restrict target, const char **restrict text, size_t most, mbstate_t *restrict state);
size_t wcsrtombs(char *restrict target, const wchar_t **restrict text, size_t most, mbstate_t *restrict state);
wchar_t *wmemcpy(wchar_t *restrict target, const wchar_t *restrict source, size_t count);
wchar_t *wmemset(wchar_t *target, wchar_t c, size_t count);
#endif
