/* A stack of up to eight numbers, with a mistake: nothing keeps pop from an empty stack. */
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
  size = size - 1;
  return elems[size];
}
