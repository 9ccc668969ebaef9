/** Cores of claimed invariants: the checks that they prove, with the claims that this rests on. */
import fc from 'fast-check';
import type { Cutpoint } from '../../../src/abstraction/transitionSystem/cutpoint';
import {
  plainOptions,
  type SystemOptions,
  TransitionSystem,
} from '../../../src/abstraction/transitionSystem/transitionSystem';
import { PredicateAbstraction } from '../../../src/abstraction/predicates/predicateAbstraction';
import { invariantMap, invariantsAt } from '../../../src/abstraction/transitionSystem/invariantMap';
import { Budget } from '../../../src/budget';
import { proofCore } from '../../../src/engines/invariants/proofCore';
import { askedIn, certificateOf, certifyChecks } from '../../../src/evidence/certificates/certify';
import * as L from '../../../src/logic/build';
import type { Term } from '../../../src/logic/term';
import { loadProgram } from '../../../src/program';
import type { Check } from '../../../src/program/command';
import { FreshSymbols, isPointer } from '../../../src/semantics/symbolic/symbolicValues';
import { createSolver } from '../../../src/solver';
import type { Solver } from '../../../src/solver/solver';
import { file } from '../task';
import { runs } from '../../long';

jest.setTimeout(240_000);

let solver: Solver;
beforeAll(() => {
  solver = createSolver({ seed: 1 });
});
afterAll(() => solver.close());
const query = { timeoutMs: 60_000 };

/** A point's variables by name, as terms of 32 bits. */
type Variables = Readonly<Record<string, Term>>;

function systemOf(text: string, mode: 'module' | 'program'): TransitionSystem {
  const program = loadProgram([file(text)]);
  const options: SystemOptions = {
    ...plainOptions,
    mode,
    entries: program.functions.filter(({ name, linkage }) =>
      mode === 'program' ? name === 'main' : linkage === 'external',
    ),
    checkedProperties: new Set(['reach']),
  };
  return new TransitionSystem(program, options);
}

function variablesAt({ vocabulary, program }: TransitionSystem, { fn, location }: Cutpoint): Variables {
  const { globals, locals } = vocabulary.state(fn, location, new FreshSymbols('claimed'));
  const named = [
    ...program.globals.map(({ variable }, i) => [variable.name, globals[i]!] as const),
    ...fn.variables.map(({ name }, i) => [name, locals[i]!] as const),
    ...(fn.resultVariable ? [['result', locals[fn.resultVariable.slot]!] as const] : []),
  ];
  return Object.fromEntries(named.flatMap(([name, value]) => (isPointer(value) ? [] : [[name, value]])));
}

/** The checks that are proved with what is claimed at each point; or why nothing is. */
async function proved(
  text: string,
  mode: 'module' | 'program',
  claimed: (variables: Variables, point: Cutpoint) => readonly Term[],
  invariants: 'all' | 'core',
): Promise<readonly string[] | string> {
  const system = systemOf(text, mode);
  const claims = invariantMap(system.points, (point) => claimed(variablesAt(system, point), point));
  const budget = Budget.start({ milliseconds: 100_000 });
  const core =
    invariants === 'all'
      ? { invariants: claims, open: new Set<Check>() }
      : await proofCore(system, claims, solver, budget);
  const certificate = certificateOf(PredicateAbstraction.ofInvariants(system, core.invariants));
  const { program, options } = system;
  const result = await certifyChecks(program, options, certificate, solver, () => query, core.open);
  return result.kind === 'certified'
    ? askedIn(system).flatMap((check) => (result.checks.has(check) ? [check.text] : []))
    : result.why;
}

const number = (n: number): Term => L.bits(BigInt(n), 32);
const atMost = (value: Term | undefined, n: number): Term[] => (value ? [L.ule(value, number(n))] : []);
const differs = (value: Term | undefined, n: number): Term[] => (value ? [L.not(L.eq(value, number(n)))] : []);

const counter = (condition: string): string => `#include <assert.h>
  static unsigned n;
  void up(void) { if (n < 9) n++; }
  void audit(void) { assert(${condition}); }`;

test('a claim that is not inductive is left out, and others prove what they prove', async () => {
  const claims = ({ n }: Variables): Term[] => [...atMost(n, 4), ...atMost(n, 9)];
  expect(await proved(counter('n <= 9'), 'module', claims, 'all')).toContain('beyond the invariant');
  expect(await proved(counter('n <= 9'), 'module', claims, 'core')).toHaveLength(1);
});

test('what is inductive only with a claim that is left out is left out, too', async () => {
  const claims = ({ n }: Variables): Term[] => [...differs(n, 6), ...atMost(n, 4)];
  expect(await proved(counter('n != 6'), 'module', claims, 'core')).toEqual([]);
});

test('what a caller knows of a call rests on what is claimed of the exit of the callee', async () => {
  const text = `#include <assert.h>
    unsigned nondet(void);
    static unsigned depth(unsigned n) {
      unsigned r = 0;
      if (n == 0) return 0;
      r = depth(n - 1);
      assert(r <= 4);
      return NEXT;
    }
    int main(void) { depth(nondet()); return 0; }`;
  const claims = ({ r, result }: Variables, { kind }: Cutpoint): readonly Term[] =>
    kind === 'exit' ? atMost(result, 4) : kind === 'entry' ? [] : atMost(r, 4);
  expect(await proved(text.replace('NEXT', 'r < 4 ? r + 1 : 4'), 'program', claims, 'core')).toHaveLength(1);
  expect(await proved(text.replace('NEXT', 'r + 1'), 'program', claims, 'core')).toEqual([]);
});

test('a claim about the first state that is not true is an error of the certificate', async () => {
  const claims = ({ n }: Variables): Term[] => differs(n, 0);
  expect(await proved(counter('n != 0'), 'module', claims, 'core')).toContain('initial state');
});

test('a core has the claims that the checks rest on, and no others', async () => {
  const system = systemOf(
    `#include <assert.h>
    static unsigned n, idle;
    void up(void) { if (n < 9) n++; }
    void wait(void) { if (idle < 5) idle++; }
    void audit(void) { assert(n <= 9); assert(n != 12); }`,
    'module',
  );
  const claims = invariantMap(system.points, (point) => {
    const { n, idle } = variablesAt(system, point);
    return [...atMost(idle, 5), ...atMost(n, 9), ...differs(idle, 7)];
  });
  const core = await proofCore(system, claims, solver, Budget.start({ milliseconds: 100_000 }));
  const { n } = variablesAt(system, system.client!);
  expect(core.open).toEqual(new Set());
  expect(invariantsAt(core.invariants, system.client!)).toEqual(atMost(n, 9));
});

test('a check that is not asked stays open, and nothing is claimed for it', async () => {
  const system = systemOf(counter('n <= 9'), 'module');
  const claims = invariantMap(system.points, (point) => atMost(variablesAt(system, point)['n'], 9));
  const asked = new Set(askedIn(system));
  const core = await proofCore(system, claims, solver, Budget.start({ milliseconds: 100_000 }), asked);
  expect(core).toEqual({ open: asked, invariants: new Map() });
});

test('random claims about random modules prove no check that some calls make fail', async () => {
  const value = fc.nat(3);
  const table = fc.array(value, { minLength: 4, maxLength: 4 });
  const claim = fc.record({ of: fc.constantFrom('a', 'b'), kind: fc.constantFrom('atMost', 'differs'), value });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(table, table), { minLength: 1, maxLength: 3 }),
      fc.array(claim, { minLength: 1, maxLength: 6 }),
      claim,
      async (steps, claims, check) => {
        const holds = (a: number, b: number): boolean => {
          const x = check.of === 'a' ? a : b;
          return check.kind === 'atMost' ? x <= check.value : x !== check.value;
        };
        const text = `#include <assert.h>
          static unsigned a, b;
          ${steps
            .map(
              ([first, second], i) => `void step${i}(void) { a = ${chosen(first, 'b')}; b = ${chosen(second, 'a')}; }`,
            )
            .join('\n')}
          void audit(void) { assert(${check.of} ${check.kind === 'atMost' ? '<=' : '!='} ${check.value}u); }`;
        const reached = new Set(['0,0']);
        for (const state of reached) {
          const [, b] = state.split(',').map(Number) as [number, number];
          for (const [first, second] of steps) reached.add(`${first[b]},${second[first[b]!]}`);
        }
        const isSafe = [...reached].every((state) => holds(...(state.split(',').map(Number) as [number, number])));
        const found = await proved(
          text,
          'module',
          (variables) =>
            claims.flatMap(({ of, kind, value: n }) => (kind === 'atMost' ? atMost : differs)(variables[of], n)),
          'core',
        );
        if (!isSafe && typeof found !== 'string') expect(found).toEqual([]);
      },
    ),
    { numRuns: runs(90) },
  );
});

/** The element of a table that a variable of two bits chooses. */
const chosen = (table: readonly number[], by: string): string =>
  `${by} == 0 ? ${table[0]}u : ${by} == 1 ? ${table[1]}u : ${by} == 2 ? ${table[2]}u : ${table[3]}u`;
