/**
 * Laws of recording: a predicate said as an expression is computed as its formula is, in states that runs pass; and
 * what is recorded when compiled code decides which arrivals look new is what is recorded when every arrival is looked
 * at.
 */
import fc from 'fast-check';
import { PredicateAbstraction } from '../../../src/abstraction/predicates/predicateAbstraction';
import { noInvariants } from '../../../src/abstraction/transitionSystem/invariantMap';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asExpression } from '../../../src/abstraction/predicates/asExpression';
import { ConcreteView } from '../../../src/abstraction/transitionSystem/concreteView';
import { defaultPredicates, predicateLevels } from '../../../src/abstraction/predicates/defaultPredicates';
import { Recorder } from '../../../src/abstraction/predicates/recorder';
import { observedPredicatesOf } from '../../../src/abstraction/predicates/observedPredicates';
import { TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import * as L from '../../../src/logic/build';
import { compile } from '../../../src/logic/compile';
import { substitute, symbolsOf } from '../../../src/logic/substitute';
import type { SymbolTerm, Term } from '../../../src/logic/term';
import { defaultProperties } from '../../../src/program/command';
import { loadProgram, type FunctionDefinition, type Program } from '../../../src/program';
import { Machine, type MachineOptions } from '../../../src/semantics';
import { file } from '../../engines/task';
import { boolRecipe, toTerm } from '../../laws/recipes';
import { isLong } from '../../long';

const runs = Number(process.env.PROVEST_RUNS ?? (isLong ? 60 : 15));
const programs = readFileSync(join(__dirname, '../../laws/compiledPrograms.c'), 'utf8');
const names = [...programs.matchAll(/^\w[\w *]*\b(run_\w+)\(int n\)/gm)].map((match) => match[1]!);

function systemOf(program: Program, entry: FunctionDefinition, level: number, inline = true): PredicateAbstraction {
  const system = new TransitionSystem(program, {
    mode: 'program',
    entries: [entry],
    init: undefined,
    checkedProperties: new Set(defaultProperties),
    cutpoints: 'default',
    pointerAxioms: true,
    inline,
    requires: () => [],
  });
  const predicates = defaultPredicates(system, new Map(), predicateLevels[level]!);
  return new PredicateAbstraction(system, noInvariants, (point) => predicates.get(point) ?? []);
}

/** The same predicates, and no abstract states. */
const emptied = ({ system, invariants, points }: PredicateAbstraction): PredicateAbstraction =>
  new PredicateAbstraction(system, invariants, (point) => points[point.index]!.predicates);

function symbolOf({ vocabulary }: TransitionSystem, fn: FunctionDefinition, name: string): SymbolTerm | undefined {
  return vocabulary.symbolsFor(fn).find((symbol) => {
    const meaning = vocabulary.meaning(symbol);
    return meaning?.kind === 'variable' && meaning.variable.name === name;
  });
}

/** All abstract states, after calls with these arguments on one machine. */
function recorded(
  predicates: PredicateAbstraction,
  entry: FunctionDefinition,
  args: readonly number[],
  how: 'every arrival' | 'in place',
  options: MachineOptions,
): { readonly states: string[]; readonly visits: number; readonly compiledSteps: number } {
  const abstraction = emptied(predicates);
  const machine = new Machine(abstraction.system.program, { stepLimit: 30_000, ...options, output: () => {} });
  new Recorder(abstraction, machine, () => {}).begin('test', '');
  const { locations, observedPredicates, visit } = machine.observer!;
  let visits = 0;
  machine.observer = {
    locations,
    ...(how === 'in place' && observedPredicates && { observedPredicates }),
    visit: (location, activation) => {
      visits++;
      visit(location, activation);
    },
  };
  for (const n of args) machine.call(entry, [n]);
  return {
    states: abstraction.points
      .flatMap((abstract) =>
        abstract.all().map(({ context, valuation }) => `${abstract.point.key}:${context}:${valuation}`),
      )
      .sort(),
    visits,
    compiledSteps: machine.compiledSteps,
  };
}

describe.each(['lp64', 'ilp32'] as const)('%s', (dataModel) => {
  const program = loadProgram([file(programs)], { externals: 'any', dataModel });

  test.each(names)('%s: recorded in place is recorded at every arrival', (name) => {
    const entry = program.functionByName.get(name)!;
    for (const [level, inline] of [
      [0, true],
      [2, false],
    ] as const) {
      const abstraction = systemOf(program, entry, level, inline);
      for (const args of [[3, 0, 17], [12]]) {
        const every = recorded(abstraction, entry, args, 'every arrival', { execution: 'reference' });
        for (const execution of ['tiered', 'compiled', 'reference'] as const) {
          const { states, visits } = recorded(abstraction, entry, args, 'in place', { execution });
          expect(states).toEqual(every.states);
          expect(visits).toBeLessThanOrEqual(every.visits);
        }
      }
    }
  });

  test('predicates as expressions have the value of their formulas', () => {
    let said = 0;
    for (const name of isLong ? names : names.filter((_, i) => i % 3 === 0)) {
      const entry = program.functionByName.get(name)!;
      const { system, points } = systemOf(program, entry, 2, false);
      const machine = new Machine(program, { stepLimit: 3000, output: () => {}, execution: 'reference' });
      const expressions = new Map(
        points.map(({ point, predicates }) => [
          point,
          predicates.flatMap(({ term }) => {
            const expression = asExpression(term, system.vocabulary, point.fn);
            return expression ? [{ term, expression }] : [];
          }),
        ]),
      );
      machine.observer = {
        locations: system.watched,
        visit: (location, activation) => {
          const point = system.at(location)!;
          const { globals, memory, activations } = machine;
          const view = new ConcreteView(system.vocabulary, { globals, memory, activation, activations });
          for (const { term, expression } of expressions.get(point)!) {
            said++;
            const value = machine.evaluator.evaluate(expression, {
              globals,
              memory,
              locals: [...activation.locals],
              objects: [...activation.objects],
            });
            expect([term, value]).toEqual([term, compile(term)(view.value) ? 1 : 0]);
          }
        },
      };
      machine.call(entry, [6]);
    }
    expect(said).toBeGreaterThan(1000);
  });
});

const wide =
  'int f(unsigned char a8, unsigned char b8, unsigned short a16, unsigned a32, unsigned b32, long a64, ' +
  'long b64) { while (a32 < 3) a32++; return a8 + b8 + a16 + (int)(a32 + b32 + a64 + b64); }';

test('formulas over integers that expressions can state have the same value in the interpreter and compiled', () => {
  const program = loadProgram([file(wide)], { externals: 'any' });
  const f = program.functionByName.get('f')!;
  let said = 0;
  fc.assert(
    fc.property(
      fc.array(boolRecipe(8, [8, 16, 32, 64, 3, 33]), { minLength: 1, maxLength: 6 }),
      fc.array(fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }), { minLength: 7, maxLength: 7 }),
      (recipes, words) => {
        const { system, points } = systemOf(program, f, 0);
        const head = system.points.find(({ kind }) => kind === 'loop')!;
        const locals = f.variables.map((variable) => ({ variable, symbol: symbolOf(system, f, variable.name) }));
        const bound = (term: Term): Term => {
          let result = term;
          for (const symbol of symbolsOf(term)) {
            const { sort } = symbol;
            const of =
              sort.kind === 'bits'
                ? locals.find(({ symbol: s }) => s?.sort.kind === 'bits' && s.sort.width === sort.width)?.symbol
                : undefined;
            result = substitute(
              result,
              new Map([
                [
                  symbol,
                  of ??
                    (sort.kind === 'boolean'
                      ? L.TRUE
                      : sort.kind === 'bits'
                        ? L.bits(5n % (1n << BigInt(sort.width)), sort.width)
                        : symbol),
                ],
              ]),
            );
          }
          return result;
        };
        const predicates = recipes
          .map((recipe) => bound(toTerm(recipe)))
          .filter((term) => asExpression(term, system.vocabulary, f))
          .map((term) => ({ term, name: undefined }));
        said += predicates.filter(({ term }) => term.kind !== 'boolean').length;
        const args = f.parameters.map(({ type }, i) =>
          type.kind === 'integer' && type.widthBits === 64
            ? BigInt.asIntN(64, words[i]!)
            : Number(BigInt.asUintN(type.kind === 'integer' ? type.widthBits : 1, words[i]!)),
        );
        const seen = (['reference', 'compiled'] as const).map((execution) => {
          const abstraction = new PredicateAbstraction(system, noInvariants, (point) =>
            point === head ? predicates : points[point.index]!.predicates,
          );
          const machine = new Machine(program, { execution });
          const recorder = new Recorder(abstraction, machine, () => {});
          const every = recorder.observer();
          if (execution === 'reference')
            machine.observer = {
              locations: every.locations,
              visit: (location, activation) => every.visit(location, activation),
            };
          // Near the bound of the loop, too.
          for (const first of [args[3]!, 0, 2])
            machine.call(
              f,
              args.map((value, i) => (i === 3 ? first : value)),
            );
          return abstraction.points.map((point) => point.valuations());
        });
        expect(seen[1]).toEqual(seen[0]);
      },
    ),
    { numRuns: 3 * runs },
  );
  expect(said).toBeGreaterThan(runs);
});

test('comparisons of one value with several constants, where it wraps too', () => {
  const program = loadProgram(
    [
      file(
        'int g(int n, unsigned char a8, short a16, unsigned a32, long a64) ' +
          '{ for (int i = 0; i < n; i++) { a8 += 7; a16 += 300; a32 += 0x30000001u; a64 += 0x3000000000000001; } ' +
          'return a8 + a16 + (int)a32 + (int)a64; }',
      ),
    ],
    {},
  );
  const g = program.functionByName.get('g')!;
  const comparison = fc.record({
    which: fc.nat(3),
    shift: fc.bigInt({ min: -300n, max: 300n }),
    far: fc.boolean(),
    constant: fc.bigInt({ min: -300n, max: 300n }),
    top: fc.boolean(),
    operator: fc.constantFrom(L.eq, L.ult, L.ule, L.slt, L.sle),
    widen: fc.constantFrom('no' as const, 'zero' as const, 'sign' as const),
    swapped: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.array(comparison, { minLength: 2, maxLength: 40 }),
      fc.array(fc.nat(0xffff_ffff), { minLength: 3, maxLength: 3 }),
      (comparisons, start) => {
        const { system, points } = systemOf(program, g, 0);
        const head = system.points.find(({ kind }) => kind === 'loop')!;
        const symbols = ['a8', 'a16', 'a32', 'a64'].map((name) => symbolOf(system, g, name)!);
        const predicates = comparisons.map(({ which, shift, far, constant, top, operator, widen, swapped }) => {
          const symbol = symbols[which]!;
          const from = symbol.sort.kind === 'bits' ? symbol.sort.width : 0;
          const half = (width: number): bigint => 1n << BigInt(width - 1);
          const shifted = L.add(symbol, L.bits(BigInt.asUintN(from, shift + (far ? half(from) : 0n)), from));
          const more = from < 64 && widen !== 'no' ? from : 0;
          const word =
            more === 0
              ? shifted
              : widen === 'zero'
                ? L.zeroExtend(shifted, from + more)
                : L.signExtend(shifted, from + more);
          const bound = L.bits(BigInt.asUintN(from + more, constant + (top ? half(from + more) : 0n)), from + more);
          return { term: swapped ? operator(bound, word) : operator(word, bound), name: undefined };
        });
        const seen = (['reference', 'compiled'] as const).map((execution) => {
          const abstraction = new PredicateAbstraction(system, noInvariants, (point) =>
            point === head ? predicates : points[point.index]!.predicates,
          );
          const machine = new Machine(program, { execution });
          const { locations, observedPredicates, visit } = new Recorder(abstraction, machine, () => {}).observer();
          machine.observer = {
            locations,
            visit,
            ...(execution === 'compiled' && { observedPredicates: observedPredicates! }),
          };
          for (const a of start)
            machine.call(g, [40, a & 0xff, (a << 16) >> 16, a, BigInt.asIntN(64, BigInt(a) << 40n)]);
          return [...abstraction.at(head).valuations()].sort();
        });
        expect(seen[1]).toEqual(seen[0]);
      },
    ),
    { numRuns: 3 * runs },
  );
});

test('most arrivals are not reported, and nearly all points have sights', () => {
  const program = loadProgram([file(programs)], { externals: 'any' });
  const entry = program.functionByName.get('run_loops')!;
  const abstraction = systemOf(program, entry, 0);
  expect(observedPredicatesOf(abstraction).size).toBe(abstraction.points.length);
  const { visits, compiledSteps } = recorded(abstraction, entry, [60], 'in place', { execution: 'compiled' });
  expect(compiledSteps).toBeGreaterThan(1000);
  expect(visits).toBeLessThan(100);
});

test('comparisons of floating-point numbers are recorded in place', () => {
  const program = loadProgram(
    [
      file(
        'double f(double x, float y, int n) { for (int i = 0; i < n; i++) { if (x > 1000) x *= 0.001; ' +
          'x += 2.5; while (y < 3.5f) y += 1; if (y <= x) y /= 2; } return x; }',
      ),
    ],
    {},
  );
  const entry = program.functionByName.get('f')!;
  const abstraction = systemOf(program, entry, 0);
  const { system, points } = abstraction;
  const compared = points.flatMap(({ point, predicates }) =>
    predicates
      .filter(({ term }) => term.kind === 'apply' && term.name?.startsWith('float-'))
      .map(({ term }) => ({ term, point })),
  );
  expect(compared.length).toBeGreaterThan(2);
  for (const { term, point } of compared) expect(asExpression(term, system.vocabulary, point.fn)).toBeDefined();
  const machine = new Machine(program, { execution: 'compiled' });
  const recorder = new Recorder(emptied(abstraction), machine, () => {});
  let visits = 0;
  const { locations, observedPredicates, visit } = recorder.observer();
  machine.observer = {
    locations,
    ...(observedPredicates && { observedPredicates }),
    visit: (...arrival) => {
      visits++;
      visit(...arrival);
    },
  };
  machine.call(entry, [1.5, 0, 5000]);
  expect(visits).toBeLessThan(60);
});

/** The terms' expressions have the terms' values where the function begins with these values of its variables. */
function expectSameValues(
  terms: readonly Term[],
  at: {
    readonly system: TransitionSystem;
    readonly machine: Machine;
    readonly f: FunctionDefinition;
    readonly locals: number[];
  },
): void {
  const { system, machine, f, locals } = at;
  const { globals, memory } = machine;
  const activation = { fn: f, location: f.entry, locals, objects: [] };
  const view = new ConcreteView(system.vocabulary, { globals, memory, activation, activations: [activation] });
  for (const term of terms) {
    const expression = asExpression(term, system.vocabulary, f)!;
    const value = machine.evaluator.evaluate(expression, { globals, memory, locals, objects: [] });
    expect([locals, term, value]).toEqual([locals, term, compile(term)(view.value) ? 1 : 0]);
  }
}

test('operators within operators have the value of their formulas, and each is given out once', () => {
  const program = loadProgram([file('int f(unsigned a, unsigned b, unsigned char c) { return a + b > c; }')], {});
  const f = program.functionByName.get('f')!;
  const { system } = systemOf(program, f, 0);
  const [a, b, c] = ['a', 'b', 'c'].map((name) => symbolOf(system, f, name)!) as [SymbolTerm, SymbolTerm, SymbolTerm];
  const wide = L.zeroExtend(c, 32);
  // Each operator is inside of the next, so one that repeats its operands doubles all that is in them.
  const six = [a, b, wide, b, a, wide];
  const word = six.reduce<Term>((inner, x) => L.bitXor(L.mul(inner, x), L.bitAnd(L.add(inner, b), x)), wide);
  const sum = six.reduce<Term>((inner, x) => L.bitXor(L.add(L.bitAnd(L.bitXor(inner, x), b), a), x), wide);
  const terms = [
    L.ule(sum, a),
    L.eq(L.concat(L.extract(15, 0, sum), L.extract(23, 8, a)), b),
    six.reduce<Term>((inner, x, i) => L.or(L.and(inner, L.ult(x, L.bits(i, 32))), L.eq(x, b)), L.ule(a, b)),
  ];
  // This one shares operands, and repeats them when it is written out.
  expect(asExpression(L.ule(word, a), system.vocabulary, f)).toBeUndefined();
  const machine = new Machine(program);
  const values = [0, 1, 7, 255, 256, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];
  for (const [x, y] of values.flatMap((x) => values.map((y) => [x, y] as const))) {
    const locals = f.variables.map(({ name }) => (name === 'a' ? x : name === 'b' ? y : name === 'c' ? x & 255 : 0));
    expectSameValues(terms, { system, machine, f, locals });
  }
});

test('comparisons of floating-point numbers have the value of their formulas, on zeros and NaN, too', () => {
  const program = loadProgram([file('int f(double a, double b, float c, float d) { return a < b && c <= d; }')], {});
  const f = program.functionByName.get('f')!;
  const { system } = systemOf(program, f, 0);
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => symbolOf(system, f, name)!) as [
    SymbolTerm,
    SymbolTerm,
    SymbolTerm,
    SymbolTerm,
  ];
  const comparisons = (['eq', 'lt', 'le'] as const).flatMap((operator) => [
    L.call(`float-${operator}-64`, L.boolSort, a, b),
    L.call(`float-${operator}-64`, L.boolSort, L.bits(0x3ff8000000000000n, 64), b),
    L.call(`float-${operator}-32`, L.boolSort, L.ite(L.call('float-lt-64', L.boolSort, a, b), c, d), d),
  ]);
  const values = [0, -0, 1.5, -1.5, Number.NaN, Infinity, -Infinity, Number.MIN_VALUE];
  const machine = new Machine(program);
  for (const [x, y] of values.flatMap((x) => values.map((y) => [x, y] as const))) {
    const locals = f.variables.map(({ name }) =>
      name === 'a' ? x : name === 'b' ? y : name === 'c' ? Math.fround(x) : name === 'd' ? Math.fround(y) : 0,
    );
    expectSameValues(comparisons, { system, machine, f, locals });
  }
});

test('states that a run from the middle of a function passes belong to the valuation its activation began with', () => {
  const program = loadProgram(
    [
      file(
        'static int f(int n) { int i = 0; while (i < n) { i++; if (i > 50) return 1; } return 0; } ' +
          'int main(void) { return f(60) + f(3); }',
      ),
    ],
    {},
  );
  const [f, main] = ['f', 'main'].map((name) => program.functionByName.get(name)!) as [
    FunctionDefinition,
    FunctionDefinition,
  ];
  const predicates = systemOf(program, main, 1, false);
  const { system } = predicates;
  const head = system.points.find(({ fn, kind }) => fn === f && kind === 'loop')!;
  expect(head.tracksContext).toBe(true);
  const contexts = (['reference', 'compiled'] as const).map((execution) => {
    const abstraction = emptied(predicates);
    const machine = new Machine(program, { execution });
    const recorder = new Recorder(abstraction, machine, () => {});
    const width = abstraction.at(system.at(f.entry)!).predicates.length;
    for (const context of ['0'.repeat(width), '1'.repeat(width)]) {
      recorder.begin('run', context);
      const locals = f.variables.map(({ name }) => (name === 'n' ? 55 : 0));
      machine.runFrom([recorder.withContext({ fn: f, location: head.location, locals, objects: [] }, context)], {
        depth: 'function',
      });
    }
    const states = abstraction.at(head);
    return states.contexts().map((context) => [context, [...states.valuations(context)].sort()]);
  });
  expect(contexts[1]).toEqual(contexts[0]);
  expect(contexts[0]).toHaveLength(2);
});
