/** Runs in which a client passes one object through a `restrict` pointer and another one are no evidence. */
import { passedTwice } from '../../../src/engines/search/arguments/passedTwice';
import { type Argument, faultOf, runScenario, type Scenario } from '../../../src/evidence/scenarios/scenario';
import { pointerToArgument, pointerToFresh } from '../../../src/plainPointer';
import type { Plain } from '../../../src/verdict';
import { programOf } from '../../program/programOf';

const program = programOf(`
typedef int *place;
void both(int *restrict a, int *restrict b) { *a = 1; *b = 2; __VERIFIER_assert(*a == 1); }
void one(int *restrict a, int *b) { *a = 1; *b = 2; __VERIFIER_assert(*a == 1); }
void array(int a[restrict 1], int *b) { *a = 1; *b = 2; __VERIFIER_assert(*a == 1); }
void named(place restrict a, int *b) { *a = 1; *b = 2; __VERIFIER_assert(*a == 1); }
void taken(int *restrict a, int *b) { int **p = &b; *a = 1; **p = 2; __VERIFIER_assert(*a == 1); }
void reader(const int *restrict a, int *b) { int x = *a; *b = x + 1; __VERIFIER_assert(*a == x); }
void neither(int *a, int *b) { *a = 1; *b = 2; __VERIFIER_assert(*a == 1); }
void readers(const int *restrict a, const int *restrict b) { __VERIFIER_assert(a != b || *a == 0); }
void third(int *restrict a, int *b, int *c) { *a = 0; *b = 1; *c = 2; __VERIFIER_assert(*b == 1); }
void inner(int *restrict *a, int *restrict *b) { int *x = *a; *b = 0; __VERIFIER_assert(*a == x); }
void nothing(int *restrict a, int *restrict b) { __VERIFIER_assert(a != b); }`);

const number: Argument = {
  kind: 'object',
  type: { kind: 'integer', name: 'int', widthBits: 32, signed: true },
  contents: 5,
};
const again = (argument: number): Argument => ({ kind: 'earlier', call: 0, argument });
const run = (name: string, ...given: readonly Argument[]) => {
  const scenario: Scenario = { calls: [{ fn: program.functionByName.get(name)!, arguments: given }], answers: [] };
  const options = { checkedProperties: new Set(['reach', 'memsafety'] as const), stepLimit: 1000, permits: () => true };
  const made = runScenario(program, scenario, options);
  return made && (faultOf(made)?.check ?? made.outcome.kind);
};

test.each(['both', 'one', 'array', 'named', 'taken', 'reader'])('%s: no evidence', (name) => {
  expect(run(name, number, again(0))).toBeUndefined();
  expect(run(name, number, number)).toBe('returned');
  expect(passedTwice({ fn: program.functionByName.get(name)!, arguments: [number, number] }, 0)).toEqual([]);
});

test('other pointers, and pointers to constants, may lead to one object', () => {
  expect(run('neither', number, again(0))).toBe('assertion');
  expect(run('readers', number, again(0))).toBe('assertion');
  expect(run('third', number, number, again(1))).toBe('assertion');
  expect(run('third', number, again(0), number)).toBeUndefined();
  expect(passedTwice({ fn: program.functionByName.get('readers')!, arguments: [number, number] }, 0)).toHaveLength(2);
});

test('null is no object, and what a pointer leads to may be restrict', () => {
  const nowhere: Argument = { kind: 'scalar', value: 0 };
  expect(run('nothing', nowhere, nowhere)).toBe('assertion');
  const type = program.functionByName.get('inner')!.parameters[0]!.ctype;
  if (type?.kind !== 'pointer') throw new Error('no pointer');
  const links: Argument = { kind: 'object', type: type.to, contents: null };
  expect(run('inner', links, again(0))).toBe('returned');
});

test('what lies in a structure is another pointer to the object, directly or not', () => {
  const nested = programOf(`
struct inner { int *p; };
struct outer { struct inner *inner; int *other; };
int direct(int *restrict a, struct inner *s) { *a = 1; if (s->p) *s->p = 5; __VERIFIER_assert(*a == 1); return 0; }
int behind(int *restrict a, struct outer *s) {
  *a = 1;
  if (s->inner && s->inner->p) *s->inner->p = 5;
  __VERIFIER_assert(*a == 1);
  return 0;
}
int plain(int *a, struct inner *s) { *a = 1; if (s->p) *s->p = 5; __VERIFIER_assert(*a == 1); return 0; }`);
  const given = (name: string, contents: Plain): Scenario => {
    const fn = nested.functionByName.get(name)!;
    const { ctype } = fn.parameters[1]!;
    if (ctype?.kind !== 'pointer') throw new Error('no pointer');
    return {
      calls: [{ fn, arguments: [number, { kind: 'object', type: { ...ctype.to, const: false }, contents }] }],
      answers: [],
    };
  };
  const outcome = (scenario: Scenario): string | undefined => {
    const options = { checkedProperties: new Set(['reach', 'memsafety'] as const), stepLimit: 1000 };
    const made = runScenario(nested, scenario, { ...options, permits: () => true });
    return made && (faultOf(made)?.check ?? made.outcome.kind);
  };
  const shared = pointerToArgument(0);
  expect(outcome(given('plain', { p: shared }))).toBe('assertion');
  expect(outcome(given('direct', { p: shared }))).toBeUndefined();
  expect(outcome(given('direct', { p: null }))).toBe('returned');
  expect(outcome(given('behind', { inner: pointerToFresh({ p: shared }), other: null }))).toBeUndefined();
  expect(outcome(given('behind', { inner: pointerToFresh({ p: null }), other: null }))).toBe('returned');
});
