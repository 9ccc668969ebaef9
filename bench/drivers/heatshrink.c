#include <stdio.h>
#include <string.h>
#include "heatshrink_decoder.h"
#include "heatshrink_encoder.h"
static uint8_t input[6000], packed[8000], output[8000];
int main(void) {
  for (int window = 4; window <= 11; window += 3) {
    heatshrink_encoder *e = heatshrink_encoder_alloc((uint8_t)window, 4 < window ? 4 : 3);
    heatshrink_decoder *d = heatshrink_decoder_alloc(256, (uint8_t)window, 4 < window ? 4 : 3);
    size_t sunk = 0, length = 0, total = 0, count = 0, size = sizeof input; unsigned sum = 0;
    for (size_t i = 0; i < size; i++) input[i] = (uint8_t)("the quick brown fox "[i * i / 7 % 20] + (i % 97 == 0));
    while (sunk < size) { heatshrink_encoder_sink(e, input + sunk, size - sunk, &count); sunk += count;
      if (sunk == size) heatshrink_encoder_finish(e);
      HSE_poll_res r; do { r = heatshrink_encoder_poll(e, packed + length, sizeof packed - length, &count);
        length += count; } while (r == HSER_POLL_MORE); if (sunk == size) heatshrink_encoder_finish(e); }
    for (sunk = 0; sunk < length;) { heatshrink_decoder_sink(d, packed + sunk, length - sunk, &count); sunk += count;
      HSD_poll_res r; do { r = heatshrink_decoder_poll(d, output + total, sizeof output - total, &count);
        total += count; } while (r == HSDR_POLL_MORE); if (sunk == length) heatshrink_decoder_finish(d); }
    for (size_t i = 0; i < length; i++) sum = sum * 31 + packed[i];
    printf("%d: %zu to %zu, %08x, back %zu %d\n", window, size, length, sum, total, memcmp(input, output, size));
    heatshrink_encoder_free(e); heatshrink_decoder_free(d);
  }
  return 0;
}
