#include <stdio.h>
#include <string.h>
#include "miniz.h"
int main(void) {
  mz_zip_archive zip; size_t size; void *data; char text[3000]; const char *files[] = { "a.txt", "dir/b.txt", "c.bin" };
  memset(&zip, 0, sizeof zip); mz_zip_writer_init_heap(&zip, 0, 0);
  for (int i = 0; i < 3; i++) { for (unsigned j = 0; j < sizeof text; j++) text[j] =
      (char)("abcabcd "[j % (8 - (unsigned)i)] + i);
    mz_zip_writer_add_mem(&zip, files[i], text, sizeof text - (size_t)i * 100, 6); }
  mz_zip_writer_finalize_heap_archive(&zip, &data, &size); mz_zip_writer_end(&zip); printf("%d\n", size > 100);
  memset(&zip, 0, sizeof zip); printf("%d\n", mz_zip_reader_init_mem(&zip, data, size, 0));
  for (unsigned i = 0; i < mz_zip_reader_get_num_files(&zip); i++) { mz_zip_archive_file_stat s; size_t n; char *p;
    mz_zip_reader_file_stat(&zip, i, &s); p = mz_zip_reader_extract_to_heap(&zip, i, &n, 0);
    printf("%s %d %d %08x %zu %.12s\n", s.m_filename, (int)s.m_comp_size, (int)s.m_uncomp_size, (unsigned)s.m_crc32, n,
        p); mz_free(p); }
  printf("%d\n", mz_zip_reader_locate_file(&zip, "dir/b.txt", NULL, 0)); mz_zip_reader_end(&zip); mz_free(data);
  return 0;
}
