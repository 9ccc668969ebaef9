#ifndef PROVEST_ALLOCA_H
#define PROVEST_ALLOCA_H
#include <provest/size.h>
void *alloca(size_t size);
#endif
