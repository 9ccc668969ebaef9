#include <wchar.h>
wint_t btowc(int c) {
  return 0 <= c && c <= 127 ? (wint_t)c : WEOF;
}
