#include <provest/files.h>
#include <stdio.h>
FILE *__provest_new_stream(int number);
FILE *fopen(const char *restrict path, const char *restrict mode) {
  __provest_check_text(path);
  __provest_check_text(mode);
  return __provest_new_stream(__provest_file_open(path, mode));
}
