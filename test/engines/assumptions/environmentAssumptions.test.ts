/** What clients and hardware could do and are taken not to do is said where they could. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nonInterferenceAssumptions } from '../../../src/engines/assumptions/environmentAssumptions';
import { loadProgram } from '../../../src/index';
import type { Task } from '../../../src/task';

const folder = mkdtempSync(join(tmpdir(), 'provest-left-alone-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

function said(text: string, mode: Task['mode'] = 'module'): string[] {
  const file = join(folder, `module${files++}.c`);
  writeFileSync(file, text);
  const program = loadProgram([file], {});
  const entries = program.functions.filter((fn) => !fn.library && fn.linkage === 'external');
  return nonInterferenceAssumptions(
    {
      files: [file],
      load: {},
      mode,
      probes: [],
      runs: [],
      properties: [],
      engine: 'auto',
      seed: 1,
      budget: { milliseconds: 1 },
    },
    program,
    entries,
  );
}

test('variables that clients can name', () => {
  expect(said('int limit = 4; const int size = 4; static int n; int get(void) { return limit + size + n; }')).toEqual([
    'clients do not write limit by name',
  ]);
  expect(said('int limit = 4; int main(void) { return limit; }', 'program')).toEqual([]);
});

test('what visible pointers lead to, where no others are handed over', () => {
  const publish =
    'static int secret = 1; int *out; void publish(void) { out = &secret; } int use(void) { return 10 / secret; }';
  expect(said(publish)).toEqual([
    'clients do not write out by name',
    'clients do not write what pointers in out lead to',
  ]);
  expect(said('static int secret = 1; struct view { int *p; } view; void publish(void) { view.p = &secret; }')).toEqual(
    ['clients do not write view by name', 'clients do not write what pointers in view lead to'],
  );
  expect(said(`${publish} int get(int *p) { return p ? *p : 0; }`)).toEqual(['clients do not write out by name']);
});

test('addresses that are told as numbers', () => {
  expect(said('static int n; unsigned long where(void) { return (unsigned long)&n; }')).toEqual([
    'clients do not make pointers of the numbers that the module made of addresses',
  ]);
});

test('static functions whose address clients may hold', () => {
  const bump = 'static int n; static void bump(void) { n++; }';
  expect(said(`${bump} typedef void (*action)(void); action get(void) { return bump; }`)).toEqual([
    'clients do not call bump, whose address they may hold',
  ]);
  expect(said(`${bump} struct operations { void (*run)(void); }; const struct operations table = { bump };`)).toEqual([
    'clients do not call bump, whose address they may hold',
  ]);
  expect(
    said(`${bump} struct operations { void (*run)(void); }; void fill(struct operations *o) { if (o) o->run = bump; }`),
  ).toEqual(['clients do not call bump, whose address they may hold']);
  // Called at once, kept inside, handed to the library: no client gets it.
  expect(said(`${bump} static void (*const table[])(void) = { bump }; void run(void) { bump(); table[0](); }`)).toEqual(
    [],
  );
  expect(
    said(
      '#include <stdlib.h>\nstatic int by(const void *a, const void *b) ' +
        '{ return *(const int *)a < *(const int *)b; }\nvoid sort(int *a) { if (a) qsort(a, 1, sizeof *a, by); }',
    ),
  ).toEqual([]);
});

test('what is volatile, also behind a pointer or in a structure', () => {
  const sentence = 'what is volatile changes only when the program writes it';
  expect(said('static volatile int ready; int get(void) { return ready; }')).toEqual([sentence]);
  expect(
    said(
      'struct port { volatile unsigned status; }; static struct port *port; ' +
        'int get(void) { return port ? (int)port->status : 0; }',
    ),
  ).toEqual([sentence]);
  expect(
    said('struct node { struct node *next; }; static struct node *head; int get(void) { return head != 0; }'),
  ).toEqual([]);
});
