#ifndef PROVEST_WORLD_H
#define PROVEST_WORLD_H
#include <provest/size.h>
/* What the world decides: `value` in a run, in a proof anything. */
long __provest_usually(long value);
/* These bytes are the world's: as they are in a run, in a proof anything. */
void __provest_any_bytes(void *target, size_t size);
#endif
