#include <stdio.h>
/* stdin, stdout, stderr. */
struct provest_file __provest_streams[3] = { { 0 }, { 1 }, { 2 } };
