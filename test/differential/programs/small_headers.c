/* Headers with little in them: orders of bytes, classes of wide characters, rounding, and what <sys/param.h> computes.
 * */
#include <arpa/inet.h>
#include <byteswap.h>
#include <endian.h>
#include <fenv.h>
#include <stdio.h>
#include <string.h>
#include <sys/cdefs.h>
#include <sys/param.h>
#include <sys/types.h>
#include <wctype.h>

__BEGIN_DECLS
static int twice(int x) __THROW;
__END_DECLS
static int twice(int x) { return 2 * x; }

int main(void) {
  u_int64_t big = 0x0123456789abcdefULL;
  unsigned char bits[4] = { 0 };
  printf("%x %x %x %x\n", htonl(0x12345678), ntohl(1), htons(0x1234), ntohs(0xff00));
  printf("%x %x %llx %d\n", bswap_16(0x1234), bswap_32(0x12345678), (unsigned long long)bswap_64(big),
      BYTE_ORDER == LITTLE_ENDIAN);
  printf("%x %x %llx %llx %llx\n", htobe16(0x1234), be32toh(7), (unsigned long long)htobe64(big),
      (unsigned long long)le64toh(big), (unsigned long long)htole32((u_int32_t)big));
  printf("%d %d %d %d %d %d\n", MIN(twice(2), 3), MAX(-1, 1), howmany(10, 4), roundup(10, 4), powerof2(64),
      powerof2(65));
  setbit(bits, 17); setbit(bits, 3); clrbit(bits, 3);
  printf("%d %d %d %d\n", bits[0], bits[2], isset(bits, 17) != 0, isclr(bits, 18));
  for (wint_t c = 0; c < 300; c++) {
    printf("%d%d%d%d%d%d%d%d%d%d%d%d %u %u %d %u ", !!iswalnum(c), !!iswalpha(c), !!iswblank(c), !!iswcntrl(c),
        !!iswdigit(c), !!iswgraph(c), !!iswlower(c), !!iswprint(c), !!iswpunct(c), !!iswspace(c), !!iswupper(c),
        !!iswxdigit(c),
      towlower(c), towupper(c), iswctype(c, wctype("punct")) != 0, towctrans(c, wctrans("toupper")));
  }
  printf("\n%d %d %d %d\n", iswalpha(WEOF), towlower(WEOF) == WEOF, wctype("none") == 0, wctrans("none") == 0);
  printf("%d %d\n", fegetround() == FE_TONEAREST, fesetround(FE_TONEAREST));
  return 0;
}
