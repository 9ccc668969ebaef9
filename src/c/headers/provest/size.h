#ifndef PROVEST_SIZE_H
#define PROVEST_SIZE_H
/* What several standard headers have to declare: size_t and NULL. */
typedef __SIZE_TYPE__ size_t;
#undef NULL
#define NULL ((void *)0)
#endif
