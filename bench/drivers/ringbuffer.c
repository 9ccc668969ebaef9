#include <stdio.h>
#include "ringbuffer.h"
int main(void) {
  char memory[64], out[100]; ring_buffer_t ring; unsigned sum = 0; int moved = 0;
  ring_buffer_init(&ring, memory, sizeof memory);
  for (int i = 0; i < 500; i++) {
    char c; ring_buffer_queue(&ring, (char)(i * 37));
    if (i % 3 == 0) ring_buffer_queue_arr(&ring, "abc", 3);
    if (i % 2 == 0 && ring_buffer_dequeue(&ring, &c)) sum = sum * 31 + (unsigned char)c;
    if (i % 50 == 49) { ring_buffer_size_t n = ring_buffer_dequeue_arr(&ring, out, 40); moved += n;
      for (int j = 0; j < n; j++) sum = sum * 31 + (unsigned char)out[j]; }
    if (i % 100 == 5 && ring_buffer_peek(&ring, &c, 2)) printf("%d ", c);
  }
  printf("%u %d %d %d %d\n", sum, moved, ring_buffer_num_items(&ring), ring_buffer_is_full(&ring),
      ring_buffer_is_empty(&ring));
  return 0;
}
