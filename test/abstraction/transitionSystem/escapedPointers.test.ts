/**
 * Which structures are handles for proofs: clients get their objects from the module alone, each the start of a block
 * that it allocated.
 */
import { handlesOf } from '../../../src/evidence/scenarios/structures/handles';
import { plainOptions, TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { loadProgram } from '../../../src/program';
import type { Origin } from '../../../src/semantics/pointers/regionNode';
import { file } from '../../engines/task';

function systemOf(...texts: readonly string[]): TransitionSystem {
  const program = loadProgram(
    texts.map((text) => file(`#include <stdlib.h>\n${text}`)),
    { externals: 'any' },
  );
  const entries = program.functions.filter((fn) => !fn.library && fn.linkage === 'external');
  return new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries,
    checkedProperties: new Set(),
    handles: handlesOf(program, entries, []),
  });
}

const handles = (...texts: readonly string[]): readonly (string | undefined)[] =>
  [...systemOf(...texts).handles].map(({ tag }) => tag);

const x =
  'struct x { int d; int e; }; struct x *x_new(void) { struct x *x = malloc(sizeof *x); x->d = 1; return x; } ' +
  'int x_use(struct x *h) { return h ? h->d : 0; }';

test("an object of the module's own", () => {
  expect(handles(x)).toEqual(['x']);
  expect(handles(`${x} int x_make(struct x **out) { if (out) *out = x_new(); return 0; }`)).toEqual(['x']);
  expect(handles(`${x} struct box { struct x *x; int n; }; int box_n(struct box *b) { return b ? b->n : 0; }`)).toEqual(
    ['x'],
  );
});

test('not what clients have as a part of something else', () => {
  expect(handles(`${x} struct box { struct x x; int n; }; int box_n(struct box *b) { return b ? b->n : 0; }`)).toEqual(
    [],
  );
  expect(handles(`${x} struct box { struct x x; int n; }; int box_n(struct box b) { return b.n; }`)).toEqual([]);
  expect(
    handles(
      `${x} struct box { struct x x[2]; }; struct boxes { struct box *first; }; ` +
        'int boxes_n(struct boxes *b) { return b != 0; }',
    ),
  ).toEqual([]);
  expect(handles(`${x} int three(struct x (*p)[3]) { return p ? (*p)[2].d : 0; }`)).toEqual([]);
  expect(handles(`${x} void each(void (*f)(struct x)) { (void)f; }`)).toEqual([]);
  expect(handles(`${x} struct x shared;`)).toEqual([]);
});

test('nor what it hands out from elsewhere, by whatever way', () => {
  expect(handles(`${x} static struct x spare; struct x *x_spare(void) { return &spare; }`)).toEqual([]);
  expect(handles(`${x} static struct x spare; void x_spare(struct x **out) { if (out) *out = &spare; }`)).toEqual([]);
  expect(handles(`${x} static struct x spare; void notify(struct x *); void tell(void) { notify(&spare); }`)).toEqual(
    [],
  );
  expect(handles(`${x} struct x *x_next(struct x *h) { return h + 1; }`)).toEqual([]);
  expect(handles(`${x} void x_next(struct x *h, struct x **out) { if (h && out) *out = h + 1; }`)).toEqual([]);
  expect(handles(`${x} struct x *last; void x_last(struct x *h) { if (h) last = h + 1; }`)).toEqual([]);
  expect(handles(`${x} void notify(struct x *); void tell(struct x *h) { if (h) notify(h + 1); }`)).toEqual([]);
});

test('types with equal members are distinguished, compatible types are not', () => {
  const isOfClients = (system: TransitionSystem, name: string): boolean => {
    const fn = system.program.functionByName.get(name)!;
    const isExternal = ({ kind }: Origin): boolean => kind === 'external';
    return [
      ...system.memoryModel.regions.pointee({
        kind: 'read',
        type: fn.parameters[0]!.type,
        variable: fn.parameters[0]!,
      })!.node.origins,
    ].some(isExternal);
  };
  const unnamed = systemOf(
    'typedef struct { int d; } X; typedef struct { int e; } Y; X *x_new(void) { return malloc(sizeof(X)); } ' +
      'int x_use(X *h) { return h ? h->d : 0; } int y_use(Y *y) { return y ? y->e : 0; }',
  );
  expect(unnamed.handles.size).toBe(1);
  expect([isOfClients(unnamed, 'x_use'), isOfClients(unnamed, 'y_use')]).toEqual([false, true]);
  const alike = systemOf(
    'typedef struct { int d; } X; typedef struct { int d; } Y; X *x_new(void) { return malloc(sizeof(X)); } ' +
      'int y_use(Y *y) { return y ? y->d : 0; }',
  );
  expect(alike.handles.size).toBe(0);
  expect(isOfClients(alike, 'y_use')).toBe(true);
  expect(handles(x, 'struct x { int other; }; int y_use(struct x *y) { return y ? y->other : 0; }')).toEqual([]);
  expect(handles(x, 'struct x; int x_use(struct x *); int twice(struct x *h) { return x_use(h) + x_use(h); }')).toEqual(
    ['x', 'x'],
  );
});
