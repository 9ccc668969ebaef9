#include <errno.h>
#include <stdio.h>
#include <string.h>
void perror(const char *text) {
  int number = errno;
  if (text != NULL && *text != 0) {
    fputs(text, stderr);
    fputs(": ", stderr);
  }
  fputs(strerror(number), stderr);
  fputs("\n", stderr);
}
