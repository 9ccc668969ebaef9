/* tinycbor: values of every kind written, checked, read back and printed. */
#include <stdio.h>
#include <string.h>
#include "cbor.h"

int main(void) {
  static unsigned char buffer[1024];
  CborEncoder encoder, map, array;
  cbor_encoder_init(&encoder, buffer, sizeof buffer, 0);
  cbor_encoder_create_map(&encoder, &map, 3);
  cbor_encode_text_stringz(&map, "numbers");
  cbor_encoder_create_array(&map, &array, CborIndefiniteLength);
  for (int i = 0; i < 20; i++) cbor_encode_int(&array, (i & 1 ? -1 : 1) * ((int64_t)1 << (3 * i)));
  cbor_encode_double(&array, 0.1);
  cbor_encode_float(&array, 2.5f);
  cbor_encode_boolean(&array, true);
  cbor_encode_null(&array);
  cbor_encoder_close_container(&map, &array);
  cbor_encode_text_stringz(&map, "bytes");
  cbor_encode_byte_string(&map, (const uint8_t *)"\0\1\2\377", 4);
  cbor_encode_text_stringz(&map, "text");
  cbor_encode_text_stringz(&map, "gr\303\274n");
  cbor_encoder_close_container(&encoder, &map);
  size_t size = cbor_encoder_get_buffer_size(&encoder, buffer);
  for (size_t i = 0; i < size; i++) printf("%02x", buffer[i]);
  printf("\n");

  CborParser parser;
  CborValue value, element;
  printf("%d\n", cbor_parser_init(buffer, size, 0, &parser, &value));
  printf("%d %d\n", cbor_value_validate(&value, CborValidateStrictMode), cbor_value_is_map(&value));
  printf("%d\n", cbor_value_map_find_value(&value, "numbers", &element));
  CborValue item;
  cbor_value_enter_container(&element, &item);
  while (!cbor_value_at_end(&item)) {
    if (cbor_value_is_integer(&item)) {
      int64_t number;
      printf("%d:", cbor_value_get_int64_checked(&item, &number));
      printf("%lld ", (long long)number);
    } else {
      printf("<%x> ", cbor_value_get_type(&item));
    }
    cbor_value_advance(&item);
  }
  char text[16];
  size_t length = sizeof text;
  cbor_value_map_find_value(&value, "text", &element);
  printf("\n%d ", cbor_value_copy_text_string(&element, text, &length, NULL));
  printf("%zu %s\n", length, text);
  for (size_t cut = 0; cut < size; cut += 7) {
    cbor_parser_init(buffer, cut, 0, &parser, &value);
    printf("%s; ", cbor_error_string(cut == 0 ? CborErrorUnexpectedEOF
        : cbor_value_validate(&value, CborValidateBasic)));
  }
  printf("\n%d\n", cbor_value_to_pretty_advance(stdout, &value));
  return 0;
}
