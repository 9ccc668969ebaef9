#ifndef PROVEST_STDDEF_H
#define PROVEST_STDDEF_H
#include <provest/size.h>
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __WCHAR_TYPE__ wchar_t;
typedef struct { long long provest_integer; long double provest_float; void *provest_pointer; } max_align_t;
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
