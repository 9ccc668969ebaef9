/* The same stack, without the mistake. */
#define CAPACITY 8
static int elems[CAPACITY];
static int size;

int push(int value) {
  if (size == CAPACITY) return 0;
  elems[size] = value;
  size = size + 1;
  return 1;
}

int pop(void) {
  if (size == 0) return 0;
  size = size - 1;
  return elems[size];
}
