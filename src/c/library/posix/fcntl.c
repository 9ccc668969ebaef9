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
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) {
    va_list arguments;
    int lowest;
    va_start(arguments, command);
    lowest = va_arg(arguments, int);
    va_end(arguments);
    if (lowest < 0) return __provest_fail(-22);
    return result < lowest ? lowest : result;
  }
  return command == F_SETFD || command == F_SETFL || (F_GETLK <= command && command <= F_SETLKW) ? 0 : result;
}
