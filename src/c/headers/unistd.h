#ifndef PROVEST_UNISTD_H
#define PROVEST_UNISTD_H
#include <sys/types.h>
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define F_OK 0
#define R_OK 4
#define W_OK 2
#define X_OK 1
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
_Noreturn void _exit(int status);
ssize_t read(int file, void *target, size_t size);
ssize_t write(int file, const void *source, size_t size);
off_t lseek(int file, off_t offset, int whence);
int close(int file);
int ftruncate(int file, off_t size);
int access(const char *path, int mode);
int unlink(const char *path);
int isatty(int file);
pid_t getpid(void);
unsigned sleep(unsigned seconds);
int usleep(unsigned microseconds);
unsigned alarm(unsigned seconds);
int getopt(int count, char *const *arguments, const char *letters);
extern char *optarg;
extern int optind;
extern int opterr;
extern int optopt;
#endif
