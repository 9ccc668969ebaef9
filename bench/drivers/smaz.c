/* smaz: texts and noise of every length there and back, and a place too small. */
#include <stdio.h>
#include <string.h>
#include "smaz.h"

int main(void) {
  static char *texts[] = { "the quick brown fox", "http://www.example.com/index.html", "", "ZZZZ", "1234567890",
      "in the beginning there was the word" };
  static char packed[2048], back[1024], noise[300];
  unsigned random = 1;
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
    int size = smaz_compress(texts[i], strlen(texts[i]), packed, sizeof packed),
        length = smaz_decompress(packed, size, back, sizeof back);
    printf("%d %d %d\n", size, length, memcmp(texts[i], back, length));
  }
  for (int length = 0; length < 300; length++) {
    for (int i = 0; i < length; i++) noise[i] = (char)((random = random * 1103515245 + 12345) >> 16);
    int size = smaz_compress(noise, length, packed, sizeof packed);
    if (smaz_decompress(packed, size, back, sizeof back) != length || memcmp(noise, back, length) != 0)
        printf("%d differs\n", length);
  }
  printf("%d\n", smaz_compress(texts[0], strlen(texts[0]), packed, 3));
  return 0;
}
