/** Memory that a client hands over again: the condition that rules it out, and failures that it is not behind. */
import { separateObjects } from '../../../src/engines/angelic/separateObjects';
import { specificationText } from '../../../src/engines/angelic/specifications';
import { type Calls, withTrace } from './failingTrace';

const offered = (text: string, calls: Calls): Promise<readonly string[]> =>
  withTrace(text, calls, ({ problem, scenario, fault, system }) =>
    separateObjects(problem, scenario, fault, system).map(specificationText),
  );

const room = [0, 0, 0, 0, 0, 0, 0, 0];
const lent = `#include <string.h>
struct buffer { char *at; unsigned length, size; };
void begin(struct buffer *b, char *memory, unsigned size) { b->at = memory; b->length = 1; b->size = size; }
int add(struct buffer *b, const char *bytes, unsigned count) {
  if (count > b->size - b->length) return 0;
  memcpy(b->at + b->length, bytes, count);
  return 1;
}
void twice(struct buffer *b) { if (b->size > 4) memcpy(b->at + 1, b->at, 4); }`;

test('memory that a structure of the client leads to', async () => {
  const calls: Calls = ({ object, characters, earlier }) => [
    ['begin', object('buffer', {}), characters(room), 8],
    ['add', earlier(0, 0), earlier(0, 1), 4],
  ];
  expect(await offered(lent, calls)).toEqual(['add: !PROVEST_SAME_OBJECT(b->at, bytes)']);
});

test('the structure is handed over again, too, but not behind the failure', async () => {
  const calls: Calls = ({ object, characters, earlier }) => [
    ['begin', object('buffer', {}), characters(room), 8],
    ['twice', earlier(0, 0)],
  ];
  expect(await offered(lent, calls)).toEqual([]);
});

test('a pointer that the module keeps', async () => {
  const text = `#include <string.h>
static char *kept;
void keep(char *memory) { kept = memory; }
void join(const char *more) { if (kept && more) memcpy(kept + 1, more, 4); }`;
  const calls: Calls = ({ characters, earlier }) => [
    ['keep', characters(room)],
    ['join', earlier(0, 0)],
  ];
  expect(await offered(text, calls)).toEqual(['join: !PROVEST_SAME_OBJECT(more, kept)']);
});

test('a pointer that the module has returned', async () => {
  const text = `#include <string.h>
static char text[8];
char *get(void) { return text; }
void append(const char *more) { memcpy(text + 1, more, 4); }`;
  const calls: Calls = ({ earlier }) => [['get'], ['append', earlier(0, -1)]];
  expect(await offered(text, calls)).toEqual(['append: !PROVEST_SAME_OBJECT(more, text)']);
});

test('what fails with other memory, too, is not excused', async () => {
  const text = `#include <string.h>
static char text[8];
char *get(void) { return text; }
void append(const char *more) { memcpy(text + 5, more, 4); }`;
  const calls: Calls = ({ earlier }) => [['get'], ['append', earlier(0, -1)]];
  expect(await offered(text, calls)).toEqual([]);
});

test('the module got its memory back before, in a call that did not fail', async () => {
  const text = `#include <string.h>
static char memory[16];
static unsigned top;
char *copy(const char *a, unsigned n) { char *to = memory + top; top += n; memcpy(to, a, n); return to; }
void reset(void) { top = 0; }`;
  const calls: Calls = ({ characters, earlier }) => [
    ['copy', characters(room), 4],
    ['copy', earlier(0, -1), 4],
    ['reset'],
    ['copy', characters(room), 2],
    ['copy', earlier(0, -1), 4],
  ];
  expect(await offered(text, calls)).toEqual(['copy: !PROVEST_SAME_OBJECT(a, memory)']);
});
