#ifndef PROVEST_STDLIB_H
#define PROVEST_STDLIB_H
#include <provest/size.h>
typedef __WCHAR_TYPE__ wchar_t;

#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define MB_CUR_MAX ((size_t)1)

typedef struct { int quot; int rem; } div_t;
typedef struct { long quot; long rem; } ldiv_t;
typedef struct { long long quot; long long rem; } lldiv_t;

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *object, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
void free(void *object);

_Noreturn void abort(void);
_Noreturn void exit(int status);
_Noreturn void _Exit(int status);
_Noreturn void quick_exit(int status);
int atexit(void (*function)(void));
int at_quick_exit(void (*function)(void));
char *getenv(const char *name);
int system(const char *command);

int abs(int value);
long labs(long value);
long long llabs(long long value);
div_t div(int dividend, int divisor);
ldiv_t ldiv(long dividend, long divisor);
lldiv_t lldiv(long long dividend, long long divisor);

int atoi(const char *text);
long atol(const char *text);
long long atoll(const char *text);
double atof(const char *text);
long strtol(const char *restrict text, char **restrict end, int base);
long long strtoll(const char *restrict text, char **restrict end, int base);
unsigned long strtoul(const char *restrict text, char **restrict end, int base);
unsigned long long strtoull(const char *restrict text, char **restrict end, int base);
float strtof(const char *restrict text, char **restrict end);
double strtod(const char *restrict text, char **restrict end);
long double strtold(const char *restrict text, char **restrict end);

int rand(void);
void srand(unsigned seed);
long random(void);
void srandom(unsigned seed);
int rand_r(unsigned *seed);
double drand48(void);
long lrand48(void);
long mrand48(void);
void srand48(long seed);
int posix_memalign(void **result, size_t alignment, size_t size);
void *reallocarray(void *object, size_t count, size_t size);

int mblen(const char *text, size_t most);
int mbtowc(wchar_t *restrict target, const char *restrict text, size_t most);
int wctomb(char *target, wchar_t c);
size_t mbstowcs(wchar_t *restrict target, const char *restrict text, size_t most);
size_t wcstombs(char *restrict target, const wchar_t *restrict text, size_t most);

void *bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *));
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));

#include <alloca.h>
#endif
