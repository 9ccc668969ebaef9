/** Slices: the commands they keep and drop, and that each is part of the next. */
import fc from 'fast-check';
import {
  plainOptions,
  TransitionSystem,
  type SystemOptions,
} from '../../src/abstraction/transitionSystem/transitionSystem';
import type { Check } from '../../src/program/command';
import type { Program } from '../../src/program/program';
import { slice, type SliceKind, sliceKinds } from '../../src/reductions/slice/slice';
import { programOf } from '../program/programOf';
import { program as randomProgram } from './randomProgram';
import { isLong } from '../long';

const systemOf = (program: Program, changes: Partial<SystemOptions> = {}): TransitionSystem =>
  new TransitionSystem(program, {
    ...plainOptions,
    mode: 'program',
    entries: [program.functionByName.get('main')!],
    checkedProperties: new Set(['reach']),
    ...changes,
  });

const checksOf = (program: Program, functions = program.functions): readonly Check[] =>
  functions.flatMap(({ edges }) =>
    edges.flatMap(({ command }) =>
      command.kind === 'check' && (command.check === 'assertion' || command.check === 'unreachable') ? [command] : [],
    ),
  );

/** Default: a program that begins with `main`. */
const moduleOf = (program: Program, entries: readonly string[] | undefined): Partial<SystemOptions> =>
  entries ? { mode: 'module', entries: entries.map((name) => program.functionByName.get(name)!) } : {};

/** The lines of the text that hold something that is kept, from 1 on. */
function linesOf(text: string, kind: SliceKind, entries?: readonly string[]): readonly number[] {
  const program = programOf(text, { externals: 'any' });
  const { kept } = slice(systemOf(program, moduleOf(program, entries)), new Set(checksOf(program)), kind);
  const lines = [...kept.keys()].map((one) => {
    const { file, start } = 'edges' in one ? one.edges[0]!.span : one.span;
    return file.position(start).line;
  });
  return [...new Set(lines)].sort((a, b) => a - b);
}

const header = 'extern int nondet(void); extern void error(void);';

describe('KT-03, KT-13: the figure of a machine in two modes, with work in between that no value depends on', () => {
  const text = [
    header,
    'static int busy(int n) { int r = 0; while (n > 0) { r = r * 3 + n; n = n - 1; } return r; }', // 2
    'int main(void) {',
    '  int j = 0, k = 0, log = 0, mode, work;', // 4
    '  mode = nondet();', // 5
    '  while (nondet()) {', // 6
    '    work = busy(nondet());', // 7
    '    if (work > 10) log = log + 1;', // 8
    '    if (work > 100) {', // 9
    '      if (mode == 1)', // 10
    '        j = j + 1;', // 11
    '      else',
    '        j = j + 2;', // 13
    '      k = k + 1;', // 14
    '      if (j != k && j != 2 * k) error();', // 15
    '    }',
    '  }',
    '  return 0;',
    '}',
  ].join('\n');

  test.each<[SliceKind, readonly number[]]>([
    ['thin', [4, 11, 13, 14, 15]],
    // The mode decides which value j gets; whether the work was enough decides only when.
    ['value', [4, 5, 10, 11, 13, 14, 15]],
    ['value+', [4, 5, 10, 11, 13, 14, 15]],
    ['backward', [2, 4, 5, 6, 7, 9, 10, 11, 13, 14, 15]],
  ])('%s', (kind, lines) => {
    expect(linesOf(text, kind)).toEqual(lines);
  });
});

test('a branch whose condition is computed anyway is kept in the slice that takes what is free', () => {
  const text = [
    `#include <assert.h>\n${header}`,
    'int main(void) {',
    '  int x = nondet(), y = x, other = nondet();',
    '  if (x > 3) {', // 5
    '    if (other > 3) {', // 6
    '      assert(y >= 3);', // 7
    '    }',
    '  }',
    '  return 0;',
    '}',
  ].join('\n');
  expect(linesOf(text, 'value')).toEqual([4, 7]);
  expect(linesOf(text, 'value+')).toEqual([4, 5, 7]);
  expect(linesOf(text, 'backward')).toEqual([4, 5, 6, 7]);
});

test('KT-16: a definition through a pointer, in a callee, and by a static initialiser', () => {
  const text = [
    header,
    'static int table[2] = {5, 6}; static int unused;', // 2
    'static void set(int *at, int to) { unused = to; *at = to; }', // 3
    'int main(void) {',
    '  int v;',
    '  set(&v, table[1]);', // 6
    '  unused = 3;', // 7
    '  if (v != 6) error();', // 8
    '  return 0;',
    '}',
  ].join('\n');
  expect(linesOf(text, 'thin')).toEqual([3, 5, 6, 8]);
});

test('a module: what another entry writes between calls', () => {
  const text = [
    '#include <assert.h>',
    'static int limit, noise;',
    'void set(int n) { limit = n & 7; noise = n; }',
    'int get(void) { assert(limit < 8); return noise; }',
  ].join('\n');
  const program = programOf(text);
  const entries = ['set', 'get'];
  expect(linesOf(text, 'value', entries)).toEqual([3, 4]);
  const one = slice(systemOf(program, moduleOf(program, entries)), new Set(checksOf(program)), 'value');
  const kept = [...one.kept.keys()].flatMap((each) =>
    'command' in each && 'target' in each.command && each.command.target && 'name' in each.command.target
      ? [each.command.target.name]
      : [],
  );
  expect(kept).toContain('limit');
  expect(kept).not.toContain('noise');
});

test('recursion and a loop without an end are followed, and end', () => {
  const text = [
    header,
    'static int down(int n) { if (n <= 0) return 0; return down(n - 1); }',
    'int main(void) { for (;;) { if (down(nondet()) != 0) error(); } }',
  ].join('\n');
  for (const kind of sliceKinds) expect(linesOf(text, kind)).toEqual([2, 3]);
});

test('a call on whose way something is asked is never dropped, whatever a weakening says', () => {
  const program = programOf(
    `${header} static void ask(int v) { if (v == 3) error(); } static void log(int v) { (void)v; } ` +
      'int main(void) { ask(nondet()); log(2); return 0; }',
    { externals: 'any' },
  );
  const calls = program.functionByName.get('main')!.edges.filter(({ command }) => command.kind === 'call');
  const dropped = new Set(calls);
  const { weakening, functions, inlined } = systemOf(program, { weakening: { dropped, assumed: new Set() } });
  const names = [...functions, ...inlined].map(({ name }) => name);
  expect(names).toContain('ask');
  expect(names).not.toContain('log');
  expect(weakening.dropped.size).toBe(1);
});

test('each kind of slice is part of the next, and all of them keep the check', () => {
  fc.assert(
    fc.property(randomProgram, (text) => {
      const program = programOf(text, { externals: 'any' });
      const criteria = new Set(checksOf(program));
      const slices = sliceKinds.map((kind) => slice(systemOf(program), criteria, kind));
      for (const [i, { kept, weakening }] of slices.entries()) {
        const next = slices[i + 1];
        if (next) for (const one of kept.keys()) expect(next.kept.has(one)).toBe(true);
        for (const edge of weakening.dropped)
          expect(edge.command.kind === 'check' && criteria.has(edge.command)).toBe(false);
      }
    }),
    { numRuns: isLong ? 200 : 25 },
  );
});
