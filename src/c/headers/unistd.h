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
#define _SC_ARG_MAX 0
#define _SC_CLK_TCK 2
#define _SC_OPEN_MAX 4
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE 30
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84
_Noreturn void _exit(int status);
ssize_t read(int file, void *target, size_t size);
ssize_t write(int file, const void *source, size_t size);
off_t lseek(int file, off_t offset, int whence);
int close(int file);
int ftruncate(int file, off_t size);
int access(const char *path, int mode);
int unlink(const char *path);
int isatty(int file);
ssize_t pread(int file, void *target, size_t size, off_t offset);
ssize_t pwrite(int file, const void *source, size_t size, off_t offset);
int pipe(int result[2]);
int dup(int file);
int dup2(int file, int wanted);
int fsync(int file);
int fdatasync(int file);
void sync(void);
int truncate(const char *path, off_t size);
int chdir(const char *path);
int rmdir(const char *path);
int link(const char *path, const char *further);
int symlink(const char *path, const char *further);
ssize_t readlink(const char *restrict path, char *restrict target, size_t size);
char *getcwd(char *target, size_t size);
int gethostname(char *target, size_t size);
long sysconf(int name);
int getpagesize(void);
pid_t getppid(void);
uid_t getuid(void);
uid_t geteuid(void);
gid_t getgid(void);
gid_t getegid(void);
pid_t setsid(void);
int pause(void);
pid_t fork(void);
int execv(const char *path, char *const arguments[]);
int execvp(const char *path, char *const arguments[]);
int execve(const char *path, char *const arguments[], char *const variables[]);
int execl(const char *path, const char *first, ...);
int execlp(const char *path, const char *first, ...);
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
