#include <stdio.h>
/* For headers other than ours, which declare a variable. */
#undef stderr
FILE *stderr = &__provest_streams[2];
