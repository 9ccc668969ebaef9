#include <provest/answers.h>
#include <unistd.h>
/* A power of two, from 4 KiB to 64 KiB. */
int getpagesize(void) {
  static int size;
  if (size == 0) size = 4096 << ((unsigned)__provest_usually(0) % 5);
  return size;
}
