/**
 * Reads of what was never written, in memory: by members, elements and bytes, through copies and calls, of objects that
 * are made again, of clients.
 */
import { verify } from '../../../src/engines/portfolio/verify';
import { readPrograms } from '../../conformance/programs';
import { file, task } from '../task';

const names = [
  'again_in_a_loop',
  'again_in_a_loop_wrong',
  'bit_field',
  'bit_field_wrong',
  'allocated_again_wrong',
  'by_a_function_that_may_fail',
  'by_a_function_that_may_fail_wrong',
  'bytes_of_a_number',
  'bytes_of_a_number_wrong',
  'cleared',
  'every_other_wrong',
  'grown',
  'grown_wrong',
  'handed_out_wrong',
  'local_copy_wrong',
  'of_a_client_wrong',
  'out_parameter_checked',
  'part_of_an_array_wrong',
  'unwritten_by_copy',
  'unwritten_by_copy_wrong',
];
const programs = readPrograms().filter(({ id }) => names.includes(id.replace('init/', '')));

test('the programs are there', () => expect(programs).toHaveLength(names.length));

test.each(programs.map((program) => [program.id, program] as const))(
  '%s',
  async (_, { path, mode, entry, expect: expected }) => {
    const verdict = await verify({
      ...task(path),
      mode,
      ...(entry !== undefined && { entries: [entry] }),
      properties: ['uninitialised'],
      load: mode === 'program' ? { externals: 'any' } : {},
      budget: { milliseconds: 30_000 },
    });
    expect(verdict.kind).toBe(expected.kind);
  },
);

const holds = (text: string, properties: readonly ('uninitialised' | 'memsafety')[] = ['uninitialised']) =>
  verify({ ...task(file(text)), mode: 'module', properties, budget: { milliseconds: 30_000 } });

test('what clients hand over was written before, which the verdict says; what the module makes was not', async () => {
  const assumed = 'what clients and unknown functions hand over was written before';
  const given = await holds(
    'struct s { int a, b; }; int sum(const struct s *p) { return p ? p->a ^ p->b : 0; } ' +
      'int of(struct s v) { return sum(&v); }',
  );
  expect(given).toMatchObject({ kind: 'proved' });
  expect(given.assumptions).toContain(assumed);
  expect(
    (
      await holds(
        'struct s { int a, b; }; int sum(const struct s *p) { return p ? p->a ^ p->b : 0; } ' +
          'int own(void) { struct s v; v.a = 1; return sum(&v); }',
      )
    ).kind,
  ).toBe('bug');
  expect((await holds('int f(const int *p) { return p ? *p : 0; }', ['memsafety'])).assumptions).not.toContain(assumed);
});

test('what is handed back is not taken to be written: the module may have handed it out as it was made', async () => {
  const text = (made: string): string => `#include <stdlib.h>
struct box { int value; };
struct box *make(void) { struct box *b = malloc(sizeof *b); ${made} return b; }
int look(const struct box *b) { return b ? b->value : 0; }`;
  expect((await holds(text(''))).kind).not.toBe('proved');
});

test('an unknown function writes nothing that a check could rely on', async () => {
  const verdict = await verify({
    ...task(file('int get(int *out); int f(void) { int x; return get(&x) ? x : 0; }')),
    mode: 'module',
    properties: ['uninitialised'],
    load: { externals: 'any' },
    budget: { milliseconds: 5_000 },
  });
  expect(verdict.kind).not.toBe('proved');
});

describe('a parameter is written as far as the argument was', () => {
  const other = 'int other(int k) { int z; if (k) z = 1; return k ? z : 0; }\n';
  test.each([
    [
      'a member of a structure',
      'struct s { int a, b; };\nstatic int both(struct s v) { return v.a ^ v.b; }\n' +
        'int f(int k) { struct s v; v.a = k; return both(v); }',
      'v.b',
    ],
    [
      'a union',
      'union u { struct { int a, b; } s; long l; };\nstatic long all(union u v) { return v.l; }\n' +
        'long f(int k) { union u v; v.s.a = k; return all(v); }',
      'v.l',
    ],
    [
      'bytes that are copied over it',
      '#include <string.h>\nint f(int k) { int x; memcpy(&k, &x, sizeof k); return k; }',
      'k',
    ],
  ])('%s', async (_, text, read) => {
    expect(await holds(`${other}${text}\n`)).toMatchObject({
      kind: 'bug',
      counterexample: { failure: { check: 'uninitialised-read', message: expect.stringContaining(read) as string } },
    });
  });

  test.each([
    [
      'the member that was written',
      'struct s { int a, b; };\nstatic int one(struct s v) { return v.a; }\n' +
        'int f(int k) { struct s v; v.a = k; return one(v); }',
    ],
    [
      'all of what clients pass',
      'struct p { int x, y; };\nstruct line { struct p from, to; };\n' +
        'static int across(struct p a, struct p b) { return (a.x ^ b.x) | (a.y ^ b.y); }\n' +
        'int f(struct line l) { return across(l.from, l.to); }',
    ],
    [
      'a number whose address is passed on',
      'static void more(int *p) { if (*p < 9) (*p)++; }\nint f(int k) { more(&k); return k; }',
    ],
  ])('%s is', async (_, text) => {
    expect((await holds(`${other}${text}\n`)).kind).toBe('proved');
  });
});
