#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "b64.h"
int main(void) {
  unsigned char bytes[200]; int bad = 0;
  for (int n = 0; n < 120; n++) {
    size_t size; char *text; unsigned char *back;
    for (int i = 0; i < n; i++) bytes[i] = (unsigned char)(i * 89 + n);
    text = b64_encode(bytes, (size_t)n); back = b64_decode_ex(text, strlen(text), &size);
    if (size != (size_t)n || memcmp(back, bytes, size) != 0) bad++;
    if (n % 10 == 7) puts(text);
    free(text); free(back);
  }
  printf("%d\n", bad);
  return 0;
}
