/* MPack: written with a growing buffer, read as a tree, with expectations and tag by tag; damaged data. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "mpack.h"

static void show(mpack_node_t node) {
  switch (mpack_node_type(node)) {
    case mpack_type_nil: printf("nil"); break;
    case mpack_type_bool: printf("%d", mpack_node_bool(node)); break;
    case mpack_type_int: printf("%lld", (long long)mpack_node_i64(node)); break;
    case mpack_type_uint: printf("%llu", (unsigned long long)mpack_node_u64(node)); break;
    case mpack_type_float: printf("%.9g", mpack_node_float(node)); break;
    case mpack_type_double: printf("%.17g", mpack_node_double(node)); break;
    case mpack_type_str: printf("\"%.*s\"", (int)mpack_node_strlen(node), mpack_node_str(node)); break;
    case mpack_type_bin: printf("bin%zu", mpack_node_bin_size(node)); break;
    case mpack_type_array: printf("["); for (size_t i = 0; i < mpack_node_array_length(node);
    i++) { if (i) printf(","); show(mpack_node_array_at(node, i)); } printf("]"); break;
    case mpack_type_map: printf("{"); for (size_t i = 0; i < mpack_node_map_count(node); i++) { if (i) printf(",");
      show(mpack_node_map_key_at(node, i)); printf(":"); show(mpack_node_map_value_at(node, i)); } printf("}"); break;
    default: printf("?");
  }
}

int main(void) {
  char *data;
  size_t size;
  mpack_writer_t writer;
  mpack_writer_init_growable(&writer, &data, &size);
  mpack_start_map(&writer, 4);
  mpack_write_cstr(&writer, "numbers");
  mpack_start_array(&writer, 9);
  long long numbers[] = { 0, 127, 128, 65536, 1LL << 40, -1, -33, -40000, -(1LL << 40) };
  for (int i = 0; i < 9; i++) mpack_write_i64(&writer, numbers[i]);
  mpack_finish_array(&writer);
  mpack_write_cstr(&writer, "reals");
  mpack_start_array(&writer, 2); mpack_write_float(&writer, 0.1f); mpack_write_double(&writer, -1e300);
  mpack_finish_array(&writer);
  mpack_write_cstr(&writer, "nested");
  mpack_build_map(&writer);
  for (int i = 0; i < 5; i++) { mpack_write_int(&writer, i); mpack_write_bool(&writer, i % 2); }
  mpack_complete_map(&writer);
  mpack_write_cstr(&writer, "bytes");
  mpack_write_bin(&writer, "\0\1\2", 3);
  mpack_finish_map(&writer);
  mpack_error_t error = mpack_writer_destroy(&writer);
  printf("%d %zu\n", error, size);
  for (size_t i = 0; i < size; i++) printf("%02x", (unsigned char)data[i]);
  printf("\n");
  for (size_t cut = size; cut > 0; cut -= cut > 10 ? 7 : 1) {
    mpack_tree_t tree;
    mpack_tree_init_data(&tree, data, cut);
    mpack_tree_parse(&tree);
    if (mpack_tree_error(&tree) == mpack_ok) show(mpack_tree_root(&tree));
    printf(" %s\n", mpack_error_to_string(mpack_tree_destroy(&tree)));
  }
  mpack_reader_t reader;
  mpack_reader_init_data(&reader, data, size);
  uint32_t count = mpack_expect_map_max(&reader, 10);
  char key[16];
  mpack_expect_cstr(&reader, key, sizeof key);
  printf("%u %s %u\n", count, key, mpack_expect_array(&reader));
  for (int i = 0; i < 7; i++) printf("%lld ", (long long)mpack_expect_i64(&reader));
  printf("%d ", mpack_expect_u8(&reader));
  printf("%s\n", mpack_error_to_string(mpack_reader_destroy(&reader)));
  free(data);
  return 0;
}
