/**
 * Loops whose rounds are made without all checks do the same as on the reference machine: results, faults, steps and
 * states at limits of steps, and what is recorded at their heads. Loops end at any byte, by a condition, at the end of
 * an object or at a byte that was never written, and count in types that wrap.
 */
import fc from 'fast-check';
import * as E from '../../src/program/build';
import { int64, int8, type Expression } from '../../src/program/expression';
import { loadProgram, type FunctionDefinition } from '../../src/program';
import { compare } from '../differential/compiledAndReference';
import { questionsAtHeads, recordedStates } from '../differential/recordedStates';
import { file } from '../engines/task';

const text = `
  #include <string.h>
  static char shared[300];
  static int find(const char *s, int c) { int i = 0; while (s[i] != c) { if (s[i] == 0) return -1; i++; } return i; }
  static unsigned long measure(const char *s) { unsigned long n = 0; while (s[n] != '\\0') n++; return n; }
  static const char *skip(const char *s, char c) { while (*s == c) s++; return s; }
  static int alike(const char *a, const signed char *b, int n) {
    int i = 0;
    while (i < n && a[i] == b[i]) i++;
    return i;
  }
  static int apart(const unsigned char *a, const signed char *b, int n) {
    int i;
    for (i = 0; i < n; i++) if (a[i] == b[i]) break;
    return i;
  }
  static int last(const char *s, int n, char c) { while (n > 0 && s[n - 1] != c) n--; return n; }
  static unsigned sum(const unsigned char *s, int n) {
    unsigned t = 0;
    for (int i = 0; i < n; i++) t += s[i];
    return t;
  }
  static unsigned sparse(const int *s, int n) { unsigned t = 0; for (int i = 0; i < n; i += 3) t ^= s[i]; return t; }
  static int narrow(const char *s, char c) { unsigned char i = 0; while (s[i] == c && i < 254) i++; return i; }
  static int wrapping(const char *s, char c) { signed char i = 0; while (s[i + 128] == c) i++; return i; }
  static void copy(char *to, const char *from) { int i = 0; while ((to[i] = from[i]) != 0) i++; }
  static void fill(char *to, int n, char c) { for (char *p = to; p < to + n; p++) *p = c; }
  static int words(const char *s) {
    int count = 0, inside = 0;
    for (; *s; s++) {
      int letter = *s >= 'a' && *s <= 'z';
      if (letter && !inside) count++;
      inside = letter;
    }
    return count;
  }
  static int down(const char *s, int n, char c) { while (n > 0 && *s == c) { s++; n--; } return n; }
  static int far(const char *s, char c) { int i = -7; while (*s == c) { s++; i += 3; } return i; }
  static unsigned around(const char *s, char c) { unsigned char n = 40; while (*s == c) { s++; n -= 2; } return n; }
  static int until(const char *s, char c, int n) {
    char now = 1;
    int i = 0;
    while (i < n && (now = s[i]) == c) i++;
    return i * 256 + now;
  }
  static int remembers(const char *s, char c) {
    char previous = 0, now = 1;
    int i = 0;
    for (; s[i] != c && i < 250; i++) { previous = now; now = s[i]; }
    return previous * 256 + now;
  }
  int run(int which, int size, int at, int byte) {
    char own[280];
    const char *from = own;
    int ints[40];
    fill(own, size, 'a');
    if (at < 280) own[at] = byte;
    if (which & 1) { memset(shared, 'a', 299); shared[at] = byte; shared[size] = 0; from = shared + (which >> 5 & 3); }
    switch (which >> 1 & 15) {
    case 0: return find(from, byte);
    case 1: return measure(from);
    case 2: return *skip(from, 'a') + down(from, size, 'a');
    case 3: return alike(own, (signed char *)from + 1, size);
    case 4: return apart((unsigned char *)own, (signed char *)from, size + 3);
    case 5: return last(from, size, byte);
    case 6: return which & 128 ? sum((unsigned char *)from, size) : far(from, 'a') + (int)around(from, 'a');
    case 7: for (int i = 0; i < 40 && i < size; i++) ints[i] = i * at; return sparse(ints, size / 4);
    case 8: return narrow(from, 'a');
    case 9: return wrapping(from, 'a');
    case 10: copy(own + 3, from); return own[at];
    case 11: copy(shared + size / 2, from); return shared[at];
    case 12: return words(from);
    case 13: return which & 128 ? remembers(from, byte) : until(from, 'a', size);
    case 14: return strchr(from, byte) ? (int)strlen(from) : strcmp(from, own);
    default: return memchr(from, byte, size) != 0;
    }
  }`;
const runs = Number(process.env.PROVEST_RUNS ?? 60);
const inputs = fc.tuple(
  fc.nat(255),
  fc.integer({ min: 0, max: 270 }),
  fc.integer({ min: 0, max: 290 }),
  fc.constantFrom(0, 97, 98, 200, -1, 256 + 97, -56),
);

test.each(['lp64', 'ilp32'] as const)('%s: outcomes, and states at limits of steps', (dataModel) => {
  const program = loadProgram([file(text)], { externals: 'any', dataModel });
  const run = program.functionByName.get('run')!;
  fc.assert(
    fc.property(inputs, fc.integer({ min: 1, max: 4000 }), fc.boolean(), (args, stepLimit, isLimited) => {
      const difference = compare(program, (machine) => machine.call(run, args), isLimited ? { stepLimit } : {});
      expect(difference).toBeUndefined();
    }),
    { numRuns: 2 * runs },
  );
});

/** Questions about bytes that follow each other, and about numbers that grow evenly: rounds are made fast with them. */
function evenQuestions(fn: FunctionDefinition, bounds: readonly number[]): Expression[] {
  const named = fn.variables.filter(({ temporary }) => !temporary);
  const texts = named.filter(({ type }) => type.kind === 'pointer').map(E.read);
  const counters = named.filter(({ name }) => ['i', 'n'].includes(name)).map(E.read);
  const wide = (e: Expression) => E.convert(e, int64);
  return texts.flatMap((p) => [
    E.isLive(p),
    ...bounds.flatMap((bound) => [
      E.atMost(E.offsetOf(p), E.integer(bound, int64)),
      ...counters.flatMap((i) => [
        E.atMost(wide(i), E.integer(bound, int64)),
        E.equal(wide(i), E.integer(2 * bound, int64)),
        E.less(E.binary('add', E.offsetOf(p), wide(i)), E.integer(bound, int64)),
      ]),
    ]),
    ...[p, ...counters.map((i) => E.offset(p, wide(i)))].flatMap((at) => [
      E.equal(E.load(int8, at), E.zero(int8)),
      E.notEqual(E.load(int8, E.offset(at, E.integer(1, int64))), E.integer(98, int8)),
    ]),
  ]);
}

test('states that are recorded', () => {
  const program = loadProgram([file(text)], { externals: 'any' });
  const run = program.functionByName.get('run')!;
  let reports = 0;
  let steps = 0;
  fc.assert(
    fc.property(inputs, fc.array(fc.integer({ min: -2, max: 280 }), { minLength: 1, maxLength: 3 }), (args, bounds) => {
      const questions = questionsAtHeads(program, (fn) => evenQuestions(fn, bounds));
      const [every, inPlace] = (['every arrival', 'in place'] as const).map((how) =>
        recordedStates(program, questions, how, (machine) => machine.call(run, args), {}),
      );
      expect(inPlace!.states).toEqual(every!.states);
      expect(inPlace!.machine.steps).toBe(every!.machine.steps);
      reports += inPlace!.reports;
      steps += inPlace!.machine.compiledSteps;
    }),
    { numRuns: 2 * runs },
  );
  expect(steps).toBeGreaterThan(50 * reports);
});
