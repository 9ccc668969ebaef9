#include <stdio.h>
/* For headers other than ours, which declare a variable. */
#undef stdin
FILE *stdin = &__provest_streams[0];
