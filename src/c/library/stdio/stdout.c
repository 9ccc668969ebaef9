#include <stdio.h>
/* For headers other than ours, which declare a variable. */
#undef stdout
FILE *stdout = &__provest_streams[1];
