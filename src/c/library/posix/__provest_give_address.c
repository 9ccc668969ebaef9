#include <provest/answers.h>
unsigned __provest_nondet_address_size(void);
unsigned long long __provest_nondet_address(void);
void __provest_give_address(void *address, unsigned *size) {
  unsigned room;
  unsigned actual;
  if (address == 0) return;
  __provest_check_write(size, sizeof *size);
  room = *size;
  __provest_check_write(address, room);
  actual = __provest_nondet_address_size() & 127;
  __provest_given_bytes(address, actual < room ? actual : room, __provest_nondet_address());
  *size = actual;
}
