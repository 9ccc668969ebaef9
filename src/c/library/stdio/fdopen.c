#include <errno.h>
#include <provest/files.h>
#include <stdio.h>
FILE *__provest_new_stream(int number);
FILE *fdopen(int file, const char *mode) {
  __provest_check_text(mode);
  return __provest_new_stream((__provest_file_flags(file) & 4) != 0 ? file : -EBADF);
}
