/** Preconditions that exclude one given trace: what its formula offers, without a search for the trace. */
import { explainError } from '../../../../src/engines/angelic/explainError/explainError';
import { specificationText } from '../../../../src/engines/angelic/specifications';
import { pointerToArgument, pointerToFresh } from '../../../../src/plainPointer';
import type { Plain } from '../../../../src/verdict';
import { type Calls, withTrace } from '../failingTrace';

const explained = (
  text: string,
  calls: Calls,
  solver: 'answers' | 'has no time' = 'answers',
): Promise<readonly string[]> =>
  withTrace(
    text,
    calls,
    async (trace) => {
      const found: string[] = [];
      for await (const one of explainError(trace)) found.push(specificationText(one));
      return found;
    },
    { solver },
  );

const request = `
#include <assert.h>
struct irp { int completed; };
struct ext { struct irp *FlushIrp, *LockIrp, *BlockIrp; };
struct dev { struct ext *DeviceExtension; };
`;
const dispatch = `${request}
void Dispatch(struct dev *devobj, struct irp *irp) {
  int completions = 0;
  if (devobj->DeviceExtension->FlushIrp == irp) completions = completions + 1;
  if (devobj->DeviceExtension->BlockIrp == irp) completions = completions + 1;
  if (devobj->DeviceExtension->LockIrp == irp) completions = completions + 2;
  assert(completions < 2);
}`;
const same = pointerToArgument(1);
const device = (stored: Plain): Plain => ({ DeviceExtension: pointerToFresh(stored) });

test('AV-03: two places that both exclude the failure are joined, as the weaker condition', async () => {
  const texts = await explained(dispatch, ({ object }) => [
    [
      'Dispatch',
      object('dev', device({ FlushIrp: same, LockIrp: null, BlockIrp: same })),
      object('irp', { completed: 0 }),
    ],
  ]);
  const [flush, block] = ['FlushIrp', 'BlockIrp'].map((name) => `devobj->DeviceExtension->${name} != irp`);
  expect(texts).toHaveLength(3);
  expect([`Dispatch: ${flush} || ${block}`, `Dispatch: ${block} || ${flush}`]).toContain(texts[0]);
  expect(texts.slice(1).sort()).toEqual([`Dispatch: ${block}`, `Dispatch: ${flush}`]);
});

test('AV-03: a branch that the failure does not depend on is no part of the answer', async () => {
  const texts = await explained(dispatch, ({ object }) => [
    [
      'Dispatch',
      object('dev', device({ FlushIrp: null, LockIrp: same, BlockIrp: null })),
      object('irp', { completed: 0 }),
    ],
  ]);
  expect(texts).toEqual(['Dispatch: devobj->DeviceExtension->LockIrp != irp']);
});

test('AV-03: what no literal excludes alone, two joined by *and* do', async () => {
  const text = `${request}void apart(struct irp *p, struct irp *q, struct irp *r) { assert((p != q) & (p != r)); }`;
  const texts = await explained(text, ({ object, earlier }) => [
    ['apart', object('irp', { completed: 0 }), earlier(0, 0), 0],
  ]);
  expect(texts).toHaveLength(1);
  expect(['apart: p != q && p != r', 'apart: p != r && p != q']).toContain(texts[0]);
});

test('AV-11: a solver without time leaves no answer', async () => {
  const failing: Calls = ({ object }) => [
    [
      'Dispatch',
      object('dev', device({ FlushIrp: null, LockIrp: same, BlockIrp: null })),
      object('irp', { completed: 0 }),
    ],
  ];
  expect(await explained(dispatch, failing, 'has no time')).toEqual([]);
});

test('the bound of a check is read back in exact numbers, not those of C', async () => {
  const text =
    '#include <assert.h>\nint depth;\nvoid release(void) { depth = depth + 1; depth = depth - 2; assert(depth > 0); }';
  expect(await explained(text, () => [['release']])).toEqual(['release: depth >= 2']);
});

test('AV-12: of a number no value is left out', async () => {
  const text = '#include <assert.h>\nvoid get(int fd) { if (fd < 0 || fd > 4) return; assert(fd != 4); }';
  expect(await explained(text, () => [['get', 4]])).toEqual([]);
});

test('neither a local, nor a hidden variable, nor an answer is part of the vocabulary', async () => {
  const text = `#include <assert.h>
static int hidden;
extern int answer(void);
void set(int n) { hidden = n; }
void get(int n) { int local = answer(); assert(hidden + local + n > 3); }`;
  expect(await explained(text, () => [['get', 2]])).toEqual([]);
});

test('the trace goes through loops and calls', async () => {
  const text = `${request}
static void mark(struct irp *p) { for (int i = 0; i < 3; i++) p->completed = p->completed + 1; }
void twice(struct irp *p, struct irp *q) { p->completed = 0; q->completed = 0; mark(p); mark(q);
  assert(p->completed == 3); }`;
  const texts = await explained(text, ({ object, earlier }) => [
    ['twice', object('irp', { completed: 0 }), earlier(0, 0)],
  ]);
  expect(texts).toEqual(['twice: p != q']);
});

describe('lengths inside structures', () => {
  const span = 'struct span { const int *data; int count; };\n';
  const twoOf =
    (count: number): Calls =>
    ({ object }) => [['sum', object('span', { data: pointerToFresh([1, 2]), count })]];

  test('a pointer and its length', async () => {
    const text =
      `${span}int sum(const struct span *s) { int n = 0; for (int i = 0; i < s->count; i++) n ^= s->data[i]; ` +
      'return n; }';
    expect(await explained(text, twoOf(3))).toEqual(['sum: PROVEST_LENGTH(s->data) >= s->count']);
  });

  test('one element too far is no matter of the length', async () => {
    const text =
      `${span}int sum(const struct span *s) { int n = 0; for (int i = 0; i <= s->count; i++) n ^= s->data[i]; ` +
      'return n; }';
    expect(await explained(text, twoOf(2))).toEqual([]);
  });

  const mail = 'struct mail { int id; const char *subject; };\n';
  const letters: Calls = ({ object }) => [['length', object('mail', { id: 1, subject: pointerToFresh([65, 66]) })]];
  const walk = 'int n = 0; while (m->subject[n] != 0) n++; return n;';

  test('a text without an end', async () => {
    expect(await explained(`${mail}int length(const struct mail *m) { ${walk} }`, letters)).toContain(
      'length: PROVEST_TERMINATED(m->subject)',
    );
  });

  test('a text that may be absent', async () => {
    const text = `${mail}int length(const struct mail *m) { if (!m->subject) return 0; ${walk} }`;
    const [first] = await explained(text, letters);
    expect(first).toBe('length: (m->subject == NULL || PROVEST_TERMINATED(m->subject))');
  });

  test('of a failure at null no length is said', async () => {
    const text = `${mail}int length(const struct mail *m) { ${walk} }`;
    const nothing: Calls = ({ object }) => [['length', object('mail', { id: 1, subject: null })]];
    expect((await explained(text, nothing)).filter((one) => one.includes('PROVEST_'))).toEqual([]);
  });
});

test('a pointer behind a pointer to one, in memory that characters may lie in, too', async () => {
  const text = 'char first(const char **text) { const char *s = *text; return *s; }';
  const calls: Calls = ({ characters }) => [['first', characters([0, 0, 0, 0, 0, 0, 0, 0])]];
  expect(await explained(text, calls)).toEqual(['first: *text != NULL']);
});
