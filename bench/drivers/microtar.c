#include <stdio.h>
#include <string.h>
#include "microtar.h"
int main(void) {
  mtar_t tar; mtar_header_t h; char text[100];
  printf("%s\n", mtar_strerror(mtar_open(&tar, "provest-test.tar", "w")));
  mtar_write_file_header(&tar, "a.txt", 11); mtar_write_data(&tar, "Hello world", 11);
  mtar_write_dir_header(&tar, "sub"); mtar_write_file_header(&tar, "sub/b.txt", 3); mtar_write_data(&tar, "xyz", 3);
  mtar_finalize(&tar); mtar_close(&tar);
  printf("%s\n", mtar_strerror(mtar_open(&tar, "provest-test.tar", "r")));
  while (mtar_read_header(&tar, &h) != MTAR_ENULLRECORD) { printf("%s %u %o %c\n", h.name, h.size, h.mode, h.type);
    mtar_next(&tar); }
  printf("%s\n", mtar_strerror(mtar_find(&tar, "sub/b.txt", &h))); memset(text, 0, sizeof text);
  mtar_read_data(&tar, text, h.size); puts(text);
  printf("%s\n", mtar_strerror(mtar_find(&tar, "none", &h))); mtar_close(&tar);
  return remove("provest-test.tar");
}
