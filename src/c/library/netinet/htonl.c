#include <netinet/in.h>
uint32_t htonl(uint32_t number) {
  return __builtin_bswap32(number);
}
