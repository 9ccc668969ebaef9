#include <provest/files.h>
#include <stdio.h>
#include <stdlib.h>
/* The new file gets the first free number, which is the old one's where that is the least. */
FILE *freopen(const char *restrict path, const char *restrict mode, FILE *restrict stream) {
  int number;
  __provest_check_text(mode);
  __provest_file_close(stream->provest_number);
  if (path == NULL) return NULL;
  __provest_check_text(path);
  number = __provest_file_open(path, mode);
  if (number < 0) {
    __provest_fail(number);
    if (stream != stdin && stream != stdout && stream != stderr) free(stream);
    else stream->provest_number = -1;
    return NULL;
  }
  stream->provest_number = number;
  return stream;
}
