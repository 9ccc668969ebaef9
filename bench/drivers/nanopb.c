/* nanopb's streams: numbers, strings and sub-messages there and back, and damaged input. */
#include <stdio.h>
#include <string.h>
#include "pb_decode.h"
#include "pb_encode.h"

int main(void) {
  static pb_byte_t buffer[512];
  pb_ostream_t out = pb_ostream_from_buffer(buffer, sizeof buffer);
  for (unsigned i = 0; i < 10; i++) {
    if (!pb_encode_tag(&out, PB_WT_VARINT, i + 1) || !pb_encode_varint(&out, (uint64_t)1 << (7 * i - (i > 8)))
        || !pb_encode_svarint(&out, -(int64_t)i * 1000003)) printf("failed\n");
  }
  float single = 1.5f;
  double real = -0.1;
  uint32_t fixed = 0xdeadbeef;
  printf("%d ", pb_encode_fixed32(&out, &single));
  printf("%d ", pb_encode_fixed64(&out, &real));
  printf("%d ", pb_encode_fixed32(&out, &fixed));
  printf("%d\n", pb_encode_string(&out, (const pb_byte_t *)"text", 4));
  size_t size = out.bytes_written;
  for (size_t i = 0; i < size; i++) printf("%02x", buffer[i]);
  printf("\n");
  for (size_t cut = size; cut > 0; cut -= cut > 40 ? 37 : 1) {
    pb_istream_t in = pb_istream_from_buffer(buffer, cut);
    pb_wire_type_t type;
    uint32_t tag, back;
    bool eof;
    uint64_t number;
    int64_t negative;
    int good = 0;
    for (unsigned i = 0; i < 10 && pb_decode_tag(&in, &type, &tag, &eof) && pb_decode_varint(&in, &number)
        && pb_decode_svarint(&in, &negative); i++) good += tag == i + 1 && negative == -(int64_t)i * 1000003;
    bool rest = pb_decode_fixed32(&in, &single) && pb_decode_fixed64(&in, &real) && pb_decode_fixed32(&in, &back);
    pb_istream_t inner;
    bool sub = rest && pb_make_string_substream(&in, &inner);
    printf("%zu: %d %d %d %zu %s\n", cut, good, rest, sub, in.bytes_left, PB_GET_ERROR(&in));
  }
  return 0;
}
