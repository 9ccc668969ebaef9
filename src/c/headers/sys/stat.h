#ifndef PROVEST_SYS_STAT_H
#define PROVEST_SYS_STAT_H
#include <sys/types.h>
struct stat { mode_t st_mode; off_t st_size; time_t st_atime; time_t st_mtime; time_t st_ctime; };
#define S_IFMT 0170000
#define S_IFREG 0100000
#define S_IFDIR 0040000
#define S_ISREG(mode) (((mode) & S_IFMT) == S_IFREG)
#define S_ISDIR(mode) (((mode) & S_IFMT) == S_IFDIR)
#define S_IRUSR 0400
#define S_IWUSR 0200
#define S_IXUSR 0100
#define S_IRWXU 0700
#define S_IRWXG 0070
#define S_IRWXO 0007
#define S_IXGRP 0010
#define S_IXOTH 0001
#define S_IRGRP 0040
#define S_IWGRP 0020
#define S_IROTH 0004
#define S_IWOTH 0002
int stat(const char *restrict path, struct stat *restrict result);
mode_t umask(mode_t mask);
int fchmod(int file, mode_t mode);
int chmod(const char *path, mode_t mode);
int fstat(int file, struct stat *result);
#endif
