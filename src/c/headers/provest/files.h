#ifndef PROVEST_FILES_H
#define PROVEST_FILES_H
#include <provest/checks.h>
/* What the machine does for the library; in a proof the results are any value. Negative ones are minus an error
 * number. */
int __provest_file_open(const char *path, const char *mode);
int __provest_file_open_flags(const char *path, int flags);
int __provest_file_temporary(void);
int __provest_file_close(int file);
int __provest_file_get(int file);
int __provest_file_unget(int file, int c);
long __provest_file_read(int file, void *target, size_t size);
long __provest_file_write(int file, const void *source, size_t size);
long __provest_file_seek(int file, long offset, int whence);
long __provest_file_tell(int file);
int __provest_file_resize(int file, long size);
int __provest_file_flags(int file);
void __provest_file_clear(int file);
int __provest_file_exists(const char *path);
int __provest_file_remove(const char *path);
int __provest_file_rename(const char *from, const char *to);
/* Sets errno from a negative result, whatever that is. */
int __provest_fail(long result);
#endif
