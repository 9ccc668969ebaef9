/** Cures of one given failure by experiment, without a search for the failure. */
import { curesOf } from '../../../src/engines/angelic/cures';
import { specificationText } from '../../../src/engines/angelic/specifications';
import { int32 } from '../../../src/program/expression';
import { type Calls, type Environment, withTrace } from './failingTrace';

const offered = (text: string, calls: Calls, environment?: Environment): Promise<readonly string[]> =>
  withTrace(
    text,
    calls,
    async (trace) => {
      const found: string[] = [];
      const failure = { ...trace, isKnown: () => false, vocabulary: 'default', taken: () => [] } as const;
      for await (const { specification } of curesOf(failure)) found.push(specificationText(specification));
      return found;
    },
    environment,
  );

const terminated = (texts: readonly string[]): readonly string[] =>
  texts.filter((text) => text.includes('PROVEST_TERMINATED'));

test('a function that is told how long a text is needs no end of it', async () => {
  const text = `int next(const char *text, unsigned size) {
  if (size == 0) return 0;
  return (text[0] & 0x80) ? text[1] : text[0];
}`;
  expect(terminated(await offered(text, ({ characters }) => [['next', characters([-61]), 1]]))).toEqual([]);
});

test('a write behind an object is no matter of a 0 at its end', async () => {
  const text = 'void end(char *to, unsigned size) { if (size > 0) to[size] = 0; }';
  expect(terminated(await offered(text, ({ characters }) => [['end', characters([65]), 1]]))).toEqual([]);
});

test('a function that goes on to the end of a text does, whatever number stands beside it', async () => {
  const text = 'unsigned last(const char *text, unsigned more) { while (*text) text++; return more; }';
  expect(terminated(await offered(text, ({ characters }) => [['last', characters([65]), 1]]))).toEqual([
    'last: PROVEST_TERMINATED(text)',
  ]);
});

test('a number behind a pointer stays what it is while lengths are tried', async () => {
  const text =
    'int at(const char *text, unsigned size, const int *place) { return *place < (int)size ? text[*place] : 0; }';
  const calls: Calls = ({ characters, numbers }) => [['at', characters([65]), 2, numbers([1])]];
  expect(await offered(text, calls)).toContain('at: PROVEST_LENGTH(text) >= size');
});

test('a text without an end is told beside a null pointer, which fails later', async () => {
  const text = `struct count { unsigned n; };
void add(struct count *c, const char *text) { unsigned n = 0; while (text[n]) n++; c->n += n; }`;
  expect(await offered(text, ({ characters }) => [['add', 0, characters([65])]])).toContain(
    'add: PROVEST_TERMINATED(text)',
  );
});

test('characters that an earlier call was given are no text', async () => {
  const text = `int first(const char *bytes) { return bytes[0]; }
unsigned length(const char *text) { unsigned n = 0; while (text[n]) n++; return n; }`;
  const calls: Calls = ({ characters, earlier }) => [
    ['first', characters([65])],
    ['length', earlier(0, 0)],
  ];
  expect(await offered(text, calls)).toContain('length: PROVEST_TERMINATED(text)');
});

test('null that an earlier call has returned is null from the client', async () => {
  const text = `struct item { int n; };
struct item *find(int n) { return 0; }
int look(const struct item *i) { return i->n; }`;
  expect(
    await offered(text, ({ earlier }) => [
      ['find', 1],
      ['look', earlier(0, -1)],
    ]),
  ).toContain('look: i != NULL');
});

test('a function that is called back with null', async () => {
  const text = `extern void report(int code);
struct item { int n; };
int look(const struct item *i) { return i->n; }
void work(void) { report(1); }`;
  const sideEffects = { effects: [{ kind: 'call', function: 'look', arguments: [0] }], afterSilent: 0 } as const;
  const answers = [{ name: 'report', value: 0, type: int32, sideEffects }];
  expect(await offered(text, () => [['work']], { answers })).toContain('look: i != NULL');
});
