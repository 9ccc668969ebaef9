/** Leaks of modules in runs: a block is lost when neither the module nor its client has a pointer to it. */
import { loadProgram } from '../../../src/program';
import { Machine } from '../../../src/semantics';
import type { ConcreteValue } from '../../../src/semantics/concrete/concreteValues';
import { file } from '../../engines/task';

type Call = readonly [string, ...ConcreteValue[]];

/** The message of the first call that fails, or how the last one ended. */
function outcomeOf(text: string, calls: readonly Call[], client?: (machine: Machine) => ConcreteValue): string {
  const program = loadProgram([file(`#include <stdlib.h>\n${text}`)], {
    keepsBlocks: 'external linkage',
    externals: 'any',
  });
  const machine = new Machine(program, { input: () => 0 });
  const own = client ? [client(machine)] : [];
  let last = 'nothing was called';
  for (const [name, ...args] of calls) {
    const outcome = machine.call(program.functionByName.get(name)!, [...args, ...own]);
    if (outcome.kind === 'fault') return outcome.fault.message;
    last = outcome.kind;
  }
  return last;
}
const lost = (line: number): string =>
  `memory leak: nothing leads any more to the object of 16 bytes allocated at line ${line}`;

const list = (pop: string): string => `
struct node { int value; struct node *next; };
static struct { int count; struct node *head; } all;
void push(int value) {
  struct node *n = malloc(sizeof *n);
  n->value = value; n->next = all.head; all.head = n;
}
void pop(void) {
  struct node *n = all.head;
  if (n == NULL) return;
  ${pop}
}`;
const pushAndPop: readonly Call[] = [['push', 1], ['push', 2], ['pop'], ['pop'], ['pop']];

test.each([
  ['freed', 'all.head = n->next; free(n);', 'returned'],
  ['not freed', 'all.head = n->next;', lost(6)],
  ['cut off behind the first', 'n->next = NULL;', lost(6)],
  ['all at once', 'all.head = NULL;', `${lost(6)}, and to 1 other block`],
])('a list that the module keeps; its nodes are %s', (_, pop, expected) => {
  expect(outcomeOf(list(pop), pushAndPop)).toBe(expected);
});

test('clients hold what they were handed: results, through their objects, and arguments of their functions', () => {
  const text = `
    struct node { long a, b; };
    extern void inform(struct node *n);
    struct node *make(void) { return malloc(sizeof(struct node)); }
    void write(struct node **to) { *to = malloc(sizeof **to); }
    void tell(void) { inform(malloc(sizeof(struct node))); }
    void other(void) { }
    void lose(void) { malloc(sizeof(struct node)); }`;
  expect(outcomeOf(text, [['make'], ['tell'], ['other']])).toBe('returned');
  expect(outcomeOf(text, [['make'], ['lose']])).toBe(lost(9));
  const object = (machine: Machine): ConcreteValue => machine.memory.make({ kind: 'host', sizeBytes: 8 });
  // The client may have read the first one before it passes the object again.
  expect(outcomeOf(text, [['write'], ['write']], object)).toBe('returned');
});

test('a block that a variable of a waiting function leads to is not lost', () => {
  const text = (end: string): string => `
    static int *kept;
    int *made(void) { return malloc(16); }
    void nothing(void) { }
    extern void call_back(void);
    static void (*const indirectly)(void) = nothing;
    void keep(void) {
      int *p = made();
      nothing();
      indirectly();
      call_back();
      ${end}
    }`;
  expect(outcomeOf(text('kept = p;'), [['keep']])).toBe('returned');
  expect(outcomeOf(text('free(p);'), [['keep'], ['keep']])).toBe('returned');
  expect(outcomeOf(text(''), [['keep']])).toBe(lost(4));
  // A call that follows is checked as the first was.
  expect(outcomeOf(text('kept = p;'), [['keep'], ['keep']])).toBe(lost(4));
});

test('a pointer into a block, or to its end, leads to it', () => {
  const text = 'static char *at; void set(int by) { at = (char *)malloc(16) + by; } void none(void) { at = 0; }';
  expect(outcomeOf(text, [['set', 5], ['none']])).toBe(lost(2));
  for (const by of [0, 5, 16]) expect(outcomeOf(text, [['set', by]])).toBe('returned');
});

test('with 32-bit pointers, and for pointers at odd places', () => {
  const text = `
    #pragma pack(1)
    static struct { char c; void *p; } at;
    void set(void) { at.p = malloc(16); }`;
  const program = loadProgram([file(`#include <stdlib.h>\n${text}`)], {
    keepsBlocks: 'external linkage',
    dataModel: 'ilp32',
  });
  const machine = new Machine(program);
  const set = program.functionByName.get('set')!;
  expect(machine.call(set, []).kind).toBe('returned');
  expect(machine.call(set, []).kind).toBe('fault');
});
