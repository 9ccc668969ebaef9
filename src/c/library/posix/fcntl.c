#include <fcntl.h>
#include <provest/answers.h>
#include <stdarg.h>
long __provest_nondet_fcntl(void);
unsigned long long __provest_nondet_flock(void);
int fcntl(int file, int command, ...) {
  int result = __provest_descriptor(__provest_nondet_fcntl());
  (void)file;
  if (command == F_GETLK || command == F_SETLK || command == F_SETLKW) {
    va_list arguments;
    struct flock *lock;
    va_start(arguments, command);
    lock = va_arg(arguments, struct flock *);
    va_end(arguments);
    __provest_check_read(lock, sizeof *lock);
    if (command == F_GETLK) {
      __provest_check_write(lock, sizeof *lock);
      if (result >= 0) __provest_given_bytes(lock, sizeof *lock, __provest_nondet_flock());
    }
  }
  if (result < 0) return -1;
  return command == F_DUPFD || command == F_DUPFD_CLOEXEC || command == F_GETFD || command == F_GETFL ? result : 0;
}
