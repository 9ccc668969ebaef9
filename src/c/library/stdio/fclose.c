#include <provest/files.h>
#include <stdio.h>
#include <stdlib.h>
int fclose(FILE *stream) {
  int result = __provest_file_close(stream->provest_number);
  if (stream == stdin || stream == stdout || stream == stderr) stream->provest_number = -1;
  else free(stream);
  return result < 0 ? __provest_fail(result) : 0;
}
