#include <provest/files.h>
#include <stdio.h>
#include <string.h>
int fputs(const char *restrict text, FILE *restrict stream) {
  long done = __provest_file_write(stream->provest_number, text, strlen(text));
  return done < 0 ? __provest_fail(done) : 1;
}
