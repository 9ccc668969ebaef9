/**
 * Loops that are part of segments: the same result as running them, and no proof that rests on how often runs went
 * round.
 */
import { plainOptions, TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { substituteAll } from '../../../src/logic/substitute';
import * as L from '../../../src/logic/build';
import { loadProgram } from '../../../src/program';
import { naturalLoops } from '../../../src/program/automata/loops';
import { LoopRounds } from '../../../src/engines/invariants/loopBounds';
import { verify } from '../../../src/index';
import { Machine } from '../../../src/semantics/concrete/machine';
import { isPointer } from '../../../src/semantics/symbolic/symbolicValues';
import { file, task } from '../task';
import { inLongForm } from '../../long';

jest.setTimeout(120_000);

const functions: Readonly<Record<string, string>> = {
  counting: 'int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }',
  'nested, with continue and break':
    'int f(int n) { int s = 1; for (int i = 0; i < n; i++) { if (i == 2) continue; ' +
    'for (int j = 0; j < i; j++) { if (s > 40) break; s += j ^ n; } } return s; }',
  'do while, leaving from inside':
    'int f(int n) { int s = 0; do { if (s == 9) return -n; s += 3; n--; } while (n > 0); return s; }',
  'jumps out of two loops':
    'int f(int n) { int s = 0; for (int i = 0; i < 5; i++) for (int j = 0; j < n; j++) ' +
    '{ if (i * j == 6) goto out; s++; } out: return s + n; }',
  'an array':
    'int f(int n) { int a[6] = {0}; for (int i = 0; i < 6; i++) a[i] = i * n; int s = 0; ' +
    'for (int i = 5; i > 0; i -= 2) s += a[i]; return s; }',
};

/** The result of `f` as its unrolled entry segment says, or 'goes on' when that ends elsewhere. */
function symbolically(text: string, rounds: number): (n: number) => number | 'goes on' {
  const program = loadProgram([file(text)], {});
  const f = program.functionByName.get('f')!;
  const unroll = new Map([...naturalLoops(f).keys()].map((head) => [head, rounds]));
  const system = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: [f],
    checkedProperties: new Set(),
    unroll,
  });
  const { segment } = system.transitions.find(({ kind, from }) => kind === 'segment' && from!.location === f.entry)!;
  const parameter = segment!.start.locals[0]!;
  if (isPointer(parameter)) throw new Error('an integer');
  return (n) => {
    for (const { to, guard, state } of segment!.ends) {
      const result = state.locals[f.resultVariable!.slot]!;
      if (isPointer(result)) throw new Error('an integer');
      const [holds, value] = substituteAll(
        [guard, result],
        new Map([[parameter, L.bits(BigInt.asUintN(32, BigInt(n)), 32)]]),
      );
      if (holds === L.FALSE) continue;
      if (holds !== L.TRUE) throw new Error('a guard that is not decided by the argument');
      if (to !== f.exit) return 'goes on';
      if (value!.kind !== 'bits') throw new Error('a result that is not decided by the argument');
      return Number(BigInt.asIntN(32, value!.value));
    }
    throw new Error('control is lost');
  };
}

describe('a segment through loops says what running them does', () => {
  test.each(Object.entries(functions))('%s', (_, text) => {
    const program = loadProgram([file(text)], {});
    const machine = new Machine(program);
    const run = (n: number): unknown => {
      const outcome = machine.call(program.functionByName.get('f')!, [n]);
      return outcome.kind === 'returned' ? outcome.value : outcome.kind;
    };
    const enough = symbolically(text, 12);
    const few = symbolically(text, 3);
    for (let n = -2; n <= 9; n++) {
      expect([n, enough(n)]).toEqual([n, run(n)]);
      expect([run(n), 'goes on']).toContain(few(n));
    }
  });

  test('too few rounds end at the head of the loop', () => {
    const few = symbolically(functions['counting']!, 3);
    expect([few(3), few(4)]).toEqual([3, 'goes on']);
  });
});

test('rounds are counted per entry into the loop', () => {
  const program = loadProgram(
    [file('int f(int n) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < 4; j++) s++; return s; }')],
    {},
  );
  const f = program.functionByName.get('f')!;
  const rounds = new LoopRounds(program);
  const machine = new Machine(program);
  rounds.watch(machine);
  machine.call(f, [6]);
  machine.call(f, [2]);
  expect([...rounds.plan([f], 1).values()].sort()).toEqual([5, 7]);
});

describe('verdicts', () => {
  const dates = (bound: number): string => `
    #include <assert.h>
    static const int days[5] = {31, 28, 31, 30, 31};
    int day_of_spring(int leap, int month, int day) {
      if (month < 1 || month > 5 || day < 1 || day > days[month - 1]) return -1;
      int sum = day + (leap && month > 2);
      for (int i = 1; i < month; i++) sum += days[i - 1];
      assert(sum <= ${bound});
      return sum;
    }`;
  // The sum of the first 53 numbers; the program does not name 53.
  const rare = (sum: number): string => `
    #include <assert.h>
    extern unsigned nondet(void);
    int main(void) {
      unsigned n = nondet(), sum = 0;
      if (n > 100) return 0;
      for (unsigned i = 1; i <= n; i++) sum += i;
      if (n * n == 2809) assert(sum != ${sum});
      return 0;
    }`;

  inLongForm('a bound that only the five rounds show', async () => {
    expect((await verify(task(file(dates(152))))).kind).toBe('proved');
  });
  inLongForm('and one that is too low', async () => {
    expect((await verify(task(file(dates(151))))).kind).toBe('bug');
  });
  inLongForm('rounds that no run went are not taken for impossible', async () => {
    expect(
      (
        await verify(
          task(file(rare(1431)), {
            mode: 'program',
            entries: ['main'],
            load: { externals: 'any' },
            budget: { milliseconds: 20_000 },
          }),
        )
      ).kind,
    ).not.toBe('proved');
  });
});

describe('early, loops that all runs left after two or three rounds', () => {
  const decode = (tested: string): string => `
    #include <stddef.h>
    #include <provest.h>
    int decode(const unsigned char *s, size_t n) {
      PROVEST_REQUIRES(s != NULL && n > 0 && PROVEST_LENGTH(s) >= n);
      int extra, value;
      if ((s[0] & 0xE0) == 0xC0) { extra = 1; value = s[0] & 0x1F; }
      else if ((s[0] & 0xF0) == 0xE0) { extra = 2; value = s[0] & 0x0F; }
      else if ((s[0] & 0xF8) == 0xF0) { extra = 3; value = s[0] & 0x07; }
      else return -1;
      if (n ${tested} (size_t)extra) return -1;
      for (int k = 1; k <= extra; k++) {
        if ((s[k] & 0xC0) != 0x80) return -1;
        value = value << 6 | (s[k] & 0x3F);
      }
      return value;
    }
    size_t count(const unsigned char *s, size_t n) {
      PROVEST_REQUIRES(PROVEST_LENGTH(s) >= n);
      size_t zeros = 0;
      for (size_t i = 0; i < n; i++) zeros += s[i] == 0;
      return zeros;
    }`;

  inLongForm('a bound that each round raises is proved, beside a loop without a bound', async () => {
    const verdict = await verify(task(file(decode('<='))));
    expect(verdict.kind).toBe('proved');
    const stages = verdict.statistics.stages.filter(({ outcome }) => outcome === 'learned');
    expect(stages.map(({ stage }) => stage)).toContain('loop-unrolling:early');
  });

  test('one round too many is a bug', async () => {
    const verdict = await verify(task(file(decode('<'))));
    expect(verdict).toMatchObject({ kind: 'bug', counterexample: { failure: { check: 'dereference' } } });
  });
});
