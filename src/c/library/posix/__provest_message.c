#include <provest/answers.h>
#include <sys/socket.h>
/* With MSG_TRUNC it is the length that the message had before it was cut off. */
long __provest_message(long answer, size_t most, int flags) {
  return __provest_amount(answer, (flags & MSG_TRUNC) != 0 ? 0x7fffffff : most);
}
