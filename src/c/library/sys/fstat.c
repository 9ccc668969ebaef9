#include <errno.h>
#include <provest/files.h>
#include <provest/world.h>
#include <sys/stat.h>
#include <unistd.h>
static long nanoseconds(void) {
  long value = __provest_usually(0);
  return 0 <= value && value < 1000000000 ? value : 0;
}
/* Files are regular and have no times in a run. */
int fstat(int file, struct stat *result) {
  long at = __provest_file_tell(file);
  if ((__provest_file_flags(file) & 4) == 0) return __provest_fail(-EBADF);
  __provest_check_write(result, sizeof *result);
  __provest_any_bytes(result, sizeof *result);
  result->st_dev = (dev_t)__provest_usually(1);
  result->st_ino = (ino_t)__provest_usually(1);
  result->st_nlink = (nlink_t)__provest_usually(1);
  result->st_uid = (uid_t)__provest_usually(0);
  result->st_gid = (gid_t)__provest_usually(0);
  result->st_rdev = (dev_t)__provest_usually(0);
  result->st_blksize = (blksize_t)__provest_usually(4096);
  result->st_blocks = (blkcnt_t)__provest_usually(0);
  result->st_mode = (mode_t)__provest_usually(S_IFREG | S_IRUSR | S_IWUSR);
  result->st_size = 0;
  result->st_atim.tv_sec = (time_t)__provest_usually(0);
  result->st_atim.tv_nsec = nanoseconds();
  result->st_mtim.tv_sec = (time_t)__provest_usually(0);
  result->st_mtim.tv_nsec = nanoseconds();
  result->st_ctim.tv_sec = (time_t)__provest_usually(0);
  result->st_ctim.tv_nsec = nanoseconds();
  if (at >= 0) {
    long size = __provest_file_seek(file, 0, SEEK_END);
    result->st_size = size < 0 ? 0 : size;
    __provest_file_seek(file, at, SEEK_SET);
  }
  return 0;
}
