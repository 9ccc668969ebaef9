#include <provest/files.h>
#include <provest/world.h>
#include <termios.h>
#include <unistd.h>
int tcgetattr(int file, struct termios *result) {
  if (!isatty(file)) return -1;
  __provest_check_write(result, sizeof *result);
  __provest_any_bytes(result, sizeof *result);
  return 0;
}
