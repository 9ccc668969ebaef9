#include <stdio.h>
#include <unistd.h>
int unlink(const char *path) {
  return remove(path);
}
