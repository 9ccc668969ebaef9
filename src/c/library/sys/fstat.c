#include <errno.h>
#include <provest/files.h>
#include <provest/world.h>
#include <sys/stat.h>
#include <unistd.h>
/* Files are regular and have no times in a run. */
int fstat(int file, struct stat *result) {
  long at = __provest_file_tell(file);
  if ((__provest_file_flags(file) & 4) == 0) return __provest_fail(-EBADF);
  result->st_mode = (mode_t)__provest_usually(S_IFREG | S_IRUSR | S_IWUSR);
  result->st_size = 0;
  result->st_atime = (time_t)__provest_usually(0);
  result->st_mtime = (time_t)__provest_usually(0);
  result->st_ctime = (time_t)__provest_usually(0);
  if (at >= 0) {
    long size = __provest_file_seek(file, 0, SEEK_END);
    result->st_size = size < 0 ? 0 : size;
    __provest_file_seek(file, at, SEEK_SET);
  }
  return 0;
}
