/* A parser of frames from a serial line: a state machine with a checksum, frames copied out by value. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
enum state { WAIT, LENGTH, BODY, CHECK };
struct frame { uint8_t length; uint8_t data[16]; };
struct parser { enum state state; uint8_t sum; uint8_t at; struct frame frame; unsigned good, bad; };
static int feed(struct parser *p, uint8_t byte, struct frame *out) {
  switch (p->state) {
  case WAIT:
    if (byte == 0x7e) p->state = LENGTH;
    return 0;
  case LENGTH:
    if (byte == 0 || byte > sizeof p->frame.data) { p->state = WAIT; p->bad++; return 0; }
    p->frame.length = byte;
    p->sum = byte;
    p->at = 0;
    p->state = BODY;
    return 0;
  case BODY:
    p->frame.data[p->at++] = byte;
    p->sum = (uint8_t)(p->sum + byte);
    if (p->at == p->frame.length) p->state = CHECK;
    return 0;
  case CHECK:
    p->state = WAIT;
    if (byte != p->sum) { p->bad++; return 0; }
    p->good++;
    *out = p->frame;
    return 1;
  }
  return 0;
}
static size_t build(uint8_t *wire, unsigned seed) {
  size_t n = 0;
  uint8_t length = (uint8_t)(1 + seed % 16), sum = length;
  wire[n++] = 0x7e;
  wire[n++] = length;
  for (unsigned i = 0; i < length; i++) {
    uint8_t byte = (uint8_t)(seed * 17 + i * 5);
    wire[n++] = byte;
    sum = (uint8_t)(sum + byte);
  }
  wire[n++] = (uint8_t)(seed % 13 == 0 ? sum + 1 : sum);
  return n;
}
int main(void) {
  struct parser parser;
  unsigned long total = 0;
  memset(&parser, 0, sizeof parser);
  for (unsigned i = 0; i < SIZE; i++) {
    uint8_t wire[24];
    struct frame frame;
    size_t n = build(wire, i);
    for (size_t k = 0; k < n; k++)
      if (feed(&parser, wire[k], &frame)) total = total * 31 + frame.length + frame.data[0];
  }
  printf("%lu %u %u\n", total, parser.good, parser.bad);
  return 0;
}
