#include <provest/files.h>
#include <stdio.h>
#include <string.h>
int fputs(const char *restrict text, FILE *restrict stream) {
  return __provest_file_write(stream->provest_number, text, strlen(text)) < 0 ? EOF : 1;
}
