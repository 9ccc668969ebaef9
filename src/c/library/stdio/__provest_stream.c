#include <stdio.h>
struct provest_file { int number; };
static struct provest_file provest_streams[3] = { { 0 }, { 1 }, { 2 } };
/* stdin, stdout, stderr. */
FILE *__provest_stream(int number) {
  return &provest_streams[number];
}
