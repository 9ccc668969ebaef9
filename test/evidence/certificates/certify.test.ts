/**
 * The independent check refuses what is no invariant, above all a certificate that mentions what is no part of the
 * state.
 */
import type { CertificateEntry } from '../../../src/evidence/certificates/certificateChecker';
import { certify, type Certificate } from '../../../src/evidence/certificates/certify';
import {
  plainOptions,
  TransitionSystem,
  type SystemOptions,
} from '../../../src/abstraction/transitionSystem/transitionSystem';
import * as L from '../../../src/logic/build';
import type { SymbolTerm, Term } from '../../../src/logic/term';
import { loadProgram } from '../../../src/program';
import { defaultProperties } from '../../../src/program/command';
import { createSolver } from '../../../src/solver';
import { file } from '../../engines/task';

const solver = createSolver();
afterAll(() => solver.close());

async function check(
  text: string,
  invariants: (system: TransitionSystem) => readonly Term[],
  expected: { kind: string; why?: RegExp },
): Promise<void> {
  const program = loadProgram([file(text)]);
  const options: SystemOptions = {
    ...plainOptions,
    mode: 'module',
    entries: program.functions.filter((fn) => !fn.library),
    checkedProperties: new Set(defaultProperties),
  };
  const system = new TransitionSystem(program, options);
  const certificate: Certificate = new Map(
    system.points.map(({ key }) => [key, { invariants: invariants(system), predicates: [], states: [['', ['']]] }]),
  );
  const result = await certify(program, options, certificate, solver, () => ({ timeoutMs: 20_000 }));
  expect(result.kind).toBe(expected.kind);
  if (expected.why) expect(result).toMatchObject({ why: expect.stringMatching(expected.why) as string });
}

/** Fails for one argument only. */
const picky = 'static int x;\nint f(int k) { x = 1; return 10 / (k - 77); }\n';
const parameter = (system: TransitionSystem): Term => {
  const symbol = system.vocabulary.symbolsFor(system.functions[0]!).find(({ name }) => name.includes('f:k'));
  if (!symbol) throw new Error('the parameter has a symbol');
  return symbol;
};
const global = (system: TransitionSystem, variable = 'x'): SymbolTerm =>
  system.vocabulary.symbolsFor(system.functions[0]!).find(({ name }) => name === variable)!;

test('an invariant is certified, a weaker or a wrong one is not', async () => {
  await check('static int x;\nint f(int k) { x = k & 7; return 10 / (x + 1); }\n', () => [], { kind: 'certified' });
  await check('static int x;\nint f(int k) { x = k & 7; return 10 / (8 - x); }\n', () => [], { kind: 'certified' });
  await check('static int x = 3;\nint f(int k) { int y = 10 / x; x = (k & 7) + 1; return y; }\n', () => [], {
    kind: 'refuted',
    why: /the check can fail/,
  });
  await check(
    'static int x = 3;\nint f(int k) { int y = 10 / x; x = (k & 7) + 1; return y; }\n',
    (system) => [L.sle(L.bits(1n, 32), global(system)), L.sle(global(system), L.bits(8n, 32))],
    { kind: 'certified' },
  );
  await check(
    'static int x = 3;\nint f(int k) { int y = 10 / x; x = (k & 7) + 1; return y; }\n',
    (system) => [L.eq(L.bits(3n, 32), global(system))],
    { kind: 'refuted', why: /beyond the invariant/ },
  );
});

test('what ranges over too much to be tried out is asked, of the first state, too', async () => {
  const text = (start: number) =>
    `static unsigned value, copy = ${start};\n` +
    'void flip(unsigned bits) { value = value ^ bits; copy = copy ^ bits; }\n' +
    'int intact(void) { return value != 0 ? 1 : 90 / copy; }\n';
  const bits = L.symbol('bits', L.bitsSort(32));
  const named = (system: TransitionSystem, name: string): Term =>
    system.vocabulary.symbolsFor(system.functions[0]!).find((symbol) => symbol.name === name)!;
  const zeroed = (system: TransitionSystem, name: string): Term =>
    L.eq(L.bitXor(named(system, name), bits), L.bits(0n, 32));
  const apart = (system: TransitionSystem): Term =>
    L.not(L.exists([bits], L.and(zeroed(system, 'value'), zeroed(system, 'copy'))));
  await check(text(90), (system) => [apart(system)], { kind: 'certified' });
  await check(text(0), (system) => [apart(system)], { kind: 'refuted', why: /initial state contradicts/ });
});

test('what a client passes cannot be claimed between calls', async () => {
  // Claimed everywhere, it would be assumed at each call, and kept until the next.
  await check(picky, (system) => [L.eq(parameter(system), L.bits(0n, 32))], {
    kind: 'refuted',
    why: /no part of the state/,
  });
  await check(picky, () => [], { kind: 'refuted', why: /the check can fail/ });
});

test('that no client has made objects before the first call cannot be claimed', async () => {
  const next = (system: TransitionSystem): Term => system.vocabulary.symbolOf(system.memoryModel.allocationCounter);
  const none = (system: TransitionSystem): Term =>
    L.ule(next(system), L.bits(BigInt(system.memoryModel.lastStatic + 1), system.memoryModel.half));
  await check('static int zero;\nint f(int *p) { return p ? 10 / zero : 1; }\n', (system) => [none(system)], {
    kind: 'refuted',
    why: /objects that a client has made/,
  });
  await check('static int zero;\nint f(int p) { return 10 / (zero + 1) + p % 7; }\n', (system) => [none(system)], {
    kind: 'certified',
  });
});

describe('of a program that fails no certificate is accepted, whatever it says', () => {
  const text =
    'static unsigned n, total;\n' +
    'void add(unsigned k) { for (unsigned i = 0; i < k; i++) { if (n <= 8) n++; total = total + n; } }\n' +
    'int rest(void) { return 10 / (9 - (int)n); }\n';
  const program = loadProgram([file(text)]);
  const options: SystemOptions = {
    ...plainOptions,
    mode: 'module',
    entries: program.functions.filter((fn) => !fn.library),
    checkedProperties: new Set(defaultProperties),
  };
  const system = new TransitionSystem(program, options);
  const n = global(system, 'n');
  const right = L.ule(n, L.bits(8n, 32));
  const bound = L.symbol('bound', L.bitsSort(32));
  const claims: readonly Term[] = [
    right,
    L.not(right),
    L.TRUE,
    L.FALSE,
    L.ule(n, L.bits(9n, 32)),
    L.eq(n, L.bits(0n, 32)),
    L.forall([bound], L.ult(bound, L.bits(3n, 32))),
    L.forall([n], right),
    L.not(L.exists([bound], L.eq(bound, n))),
    L.exists([bound], L.and(L.eq(bound, n), L.ule(bound, L.bits(8n, 32)))),
  ];
  const valuations = [['1'], ['0'], ['0', '1'], []];

  test.each(claims.map((claim, i) => [i, claim] as const))(
    'claim %i at one point, the right one elsewhere',
    async (_, claim) => {
      for (const at of system.points) {
        const certificate: Certificate = new Map(
          system.points.map((point) => [
            point.key,
            { invariants: [point === at ? claim : right], predicates: [], states: [['', ['']]] },
          ]),
        );
        expect((await certify(program, options, certificate, solver, () => ({ timeoutMs: 20_000 }))).kind).not.toBe(
          'certified',
        );
      }
    },
  );

  test('which the right one is where the program does not fail', async () => {
    await check(text.replace('n <= 8', 'n < 8'), (safe) => [L.ule(global(safe, 'n'), L.bits(8n, 32))], {
      kind: 'certified',
    });
  });

  test('as invariants everywhere, and as predicates with each choice of valuations', async () => {
    for (const claim of claims) {
      const everywhere = (entry: CertificateEntry): Certificate =>
        new Map(system.points.map(({ key }) => [key, entry]));
      const certificates = [
        everywhere({ invariants: [claim], predicates: [], states: [['', ['']]] }),
        ...valuations.map((allowed) => everywhere({ invariants: [], predicates: [claim], states: [['', allowed]] })),
        everywhere({ invariants: [claim], predicates: [], states: [] }),
      ];
      for (const certificate of certificates)
        expect((await certify(program, options, certificate, solver, () => ({ timeoutMs: 20_000 }))).kind).not.toBe(
          'certified',
        );
    }
  });
});

describe('a certificate covers exactly the cutpoints of the program', () => {
  const program = loadProgram([
    file('static int step(int x) { while (x > 9) x -= 3; return x; } int f(int x) { return step(x); }'),
    file('static int step(int x) { while (x > 5) x -= 2; return x; } int g(int x) { return step(x); }'),
  ]);
  const options: SystemOptions = {
    mode: 'module',
    entries: program.functions.filter(({ linkage }) => linkage === 'external'),
    init: undefined,
    checkedProperties: new Set(defaultProperties),
    cutpoints: 'default',
    pointerAxioms: true,
    inline: false,
    requires: () => [],
  };
  const { points } = new TransitionSystem(program, options);
  const entry: CertificateEntry = { invariants: [], predicates: [], states: [['', ['']]] };
  const whole: Certificate = new Map(points.map(({ key }) => [key, entry]));
  const verdictOn = async (certificate: Certificate): Promise<string> =>
    (await certify(program, options, certificate, solver, () => ({ timeoutMs: 20_000 }))).kind;

  test('static functions of one name in two files have keys of their own', async () => {
    expect(new Set(points.map(({ key }) => key)).size).toBe(points.length);
    expect(await verdictOn(whole)).toBe('certified');
  });

  test('one without an entry, or with an entry of another program, is refuted', async () => {
    for (const { key } of points)
      expect(await verdictOn(new Map([...whole].filter(([other]) => other !== key)))).toBe('refuted');
    expect(await verdictOn(new Map([...whole, ['elsewhere@0', entry]]))).toBe('refuted');
    const [first, ...rest] = [...whole];
    expect(await verdictOn(new Map([...rest, ['elsewhere@0', first![1]]]))).toBe('refuted');
  });
});
