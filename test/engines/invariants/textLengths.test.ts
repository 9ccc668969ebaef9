/** A text that was measured before it is copied into a short buffer. */
import { verify } from '../../../src/index';
import { readCProbe } from '../../../src/host/cProbe';
import { argumentScope } from '../../../src/host/probeScope';
import { loadProgram } from '../../../src/program';
import { file, task } from '../task';
import { inLongForm } from '../../long';

jest.setTimeout(300_000);

async function kindOf(condition: string): Promise<string> {
  const path = file(`
#include <string.h>
static char name[16];
void rename(const char *text) { if (${condition}) strcpy(name, text); }
`);
  const program = loadProgram([path], {});
  const fn = program.functionByName.get('rename')!;
  const read = readCProbe(
    'text != NULL && PROVEST_TERMINATED(text)',
    argumentScope(program, 'm.c', fn),
    program.enumConstants,
  );
  if (read.kind === 'mistake') throw new Error(read.message);
  const requires = [{ function: 'rename', formula: read.formula }];
  return (await verify(task(path, { requires, budget: { milliseconds: 240_000 } }))).kind;
}

inLongForm('a text shorter than the buffer fits', async () => {
  expect(await kindOf('strlen(text) < sizeof name')).toBe('proved');
});

test('a text as long as the buffer does not', async () => {
  expect(await kindOf('strlen(text) <= sizeof name')).toBe('bug');
});

const kept = async (condition: string): Promise<string> => {
  const text = `#include <string.h>
static char line[10], label[4];
static unsigned used;
void type(char c) {
  if (c == 0 || used >= 9) return;
  line[used++] = c;
  line[used] = 0;
}
void keep(void) { if (strlen(line) ${condition} sizeof label) strcpy(label, line); }
int is_kept(void) { return strcmp(label, line) == 0; }`;
  return (await verify(task(file(text), { budget: { milliseconds: 240_000 } }))).kind;
};

inLongForm('a text that was measured when it was kept ends within its buffer in later calls', async () => {
  expect(await kept('<')).toBe('proved');
});

test('a text as long as the buffer that keeps it does not', async () => {
  expect(await kept('<=')).toBe('bug');
});

const copied = async (condition: string): Promise<string> => {
  const text = `#include <string.h>
int main(int argc, char **argv) { char b[16];
  if (argc > 1 && strlen(argv[1]) ${condition} sizeof b) strcpy(b, argv[1]); return 0; }`;
  const program = { mode: 'program', entries: ['main'], load: { externals: 'any' } } as const;
  return (await verify(task(file(text), { ...program, budget: { milliseconds: 240_000 } }))).kind;
};

inLongForm('an argument that was measured fits into a buffer of the function', async () => {
  expect(await copied('<')).toBe('proved');
});

inLongForm('an argument as long as the buffer does not', async () => {
  expect(await copied('<=')).toBe('bug');
});

test('a text is known by what was passed where the callee moves along it and writes it', async () => {
  const count = (after: string): string => `#include <stddef.h>
    #include <provest.h>
    static char *blank(char *s) { while (*s == ' ') *s++ = '_'; ${after} return s; }
    int count(char *line) {
      PROVEST_REQUIRES(line != NULL && PROVEST_TERMINATED(line));
      const char *rest = blank(line);
      unsigned n = 0;
      for (const char *p = line; *p; p++) n += p == rest;
      return n;
    }`;
  expect((await verify(task(file(count(''))))).kind).toBe('proved');
  expect((await verify(task(file(count("*s = '.';"))))).kind).toBe('bug');
}, 120_000);

const weighed = (test: string): string => `#include <string.h>
  #include <provest.h>
  int weigh(const char *text) {
    PROVEST_REQUIRES(text != NULL && PROVEST_TERMINATED(text));
    int sum = 0;
    if (${test}) return -1;
    for (size_t i = 0; text[i] != 0; i++) sum += text[i] < text[i + 1] ? -100000000 : 100000000;
    return sum;
  }`;

test.each([
  ['strlen(text) > 15', 'proved'],
  ['16 <= strlen(text)', 'proved'],
  ['strlen(text) > 25', 'bug'],
])(
  'what is added up of a text that is returned for %s',
  async (tested, expected) => {
    expect((await verify(task(file(weighed(tested))))).kind).toBe(expected);
  },
  120_000,
);
