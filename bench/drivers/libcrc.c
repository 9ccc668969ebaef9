#include <stdio.h>
#include <string.h>
#include "checksum.h"
int main(void) {
  static const char *const texts[] = { "123456789", "", "a", "The quick brown fox jumps over the lazy dog",
      "\xff\xfe\x80 binary" };
  for (int i = 0; i < 5; i++) {
    const unsigned char *t = (const unsigned char *)texts[i]; size_t n = strlen(texts[i]);
    unsigned char nmea[3] = { 0 };
    checksum_NMEA((const unsigned char *)"$GPGLL,5057.970,N,00146.110,E,142451,A*27", nmea);
    printf("%02x %04x %04x %04x %04x %04x %04x %04x %04x %s\n", crc_8(t, n), crc_16(t, n), crc_modbus(t, n),
        crc_ccitt_1d0f(t, n), crc_ccitt_ffff(t, n), crc_xmodem(t, n), crc_dnp(t, n), crc_kermit(t, n), crc_sick(t, n),
        nmea);
  }
  return 0;
}
