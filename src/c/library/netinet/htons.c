#include <netinet/in.h>
uint16_t htons(uint16_t number) {
  return __builtin_bswap16(number);
}
