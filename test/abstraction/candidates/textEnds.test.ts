/** Texts that end where their objects do: in static arrays between calls, and on their way through functions. */
import { verify } from '../../../src';
import { textEnds } from '../../../src/abstraction/candidates/textEnds';
import { file, task } from '../../engines/task';
import { moduleSystem } from '../moduleSystem';

jest.setTimeout(500_000);

/** Number of candidates at the entry of each function that calls are analysed for. */
function entriesOf(text: string): Record<string, number> {
  const system = moduleSystem(text);
  const found = textEnds(system);
  return Object.fromEntries(
    system.points.filter(({ kind }) => kind === 'entry').map((point) => [point.fn.name, found.get(point)!.length]),
  );
}

test('pointers to characters, and static arrays of characters, are texts', () => {
  const length = 'unsigned n = 0; while (s[n]) n++; return n;';
  expect(
    entriesOf(`unsigned text(const char *s) { ${length} }
      unsigned numbers(const int *s) { ${length} }`),
  ).toEqual({ text: 2, numbers: 0 });
  expect(entriesOf(`static char s[8]; void set(char c) { s[1] = c; } unsigned get(void) { ${length} }`)).toEqual({
    set: 1,
    get: 1,
  });
});

const named = (most: number): string => `
static char name[8] = "abcdefg";
void set(unsigned i, char c) { if (i < ${most}) name[i] = c; }
unsigned length(void) { unsigned n = 0; while (name[n] != 0) n++; return n; }
`;

test('a static text whose last byte nobody writes', async () => {
  expect((await verify(task(file(named(7)), { budget: { milliseconds: 200_000 } }))).kind).toBe('proved');
  expect((await verify(task(file(named(8)), { budget: { milliseconds: 200_000 } }))).kind).toBe('bug');
});

const table = (written: number): string => `
static struct { int id; char name[4]; } table[3];
void set(unsigned i, unsigned n, char c) { if (i < 3 && n < ${written}) table[i].name[n] = c; }
unsigned length(unsigned i) {
  unsigned n = 0;
  if (i < 3) while (table[i].name[n] != 0) n++;
  return n;
}
`;

test('texts in the structures of a static table are one candidate for each member', () => {
  expect(entriesOf(table(3))).toEqual({ set: 1, length: 1 });
  const rows = 'static struct { char a[2]; struct { char b[2]; } in[2]; } rows[4];';
  const use = 'void put(unsigned i, unsigned j) { rows[i].a[j] = 1; rows[i].in[j].b[1] = 2; rows[i].in[j].b[0] = 3; }';
  expect(entriesOf(`${rows} ${use}`)).toEqual({ put: 2 });
});

test('of a long table each element is spoken of by its number', () => {
  const names = (count: number): string => `static struct { int id; char name[4], code[2]; } names[${count}];`;
  const set = 'void set(unsigned i, unsigned j) { names[i].name[j] = names[i].code[j] = 1; }';
  expect(entriesOf(`${names(32)} ${set}`)).toEqual({ set: 2 });
  expect(entriesOf(`${names(33)} ${set}`)).toEqual({ set: 2 });
  expect(entriesOf(`static char lines[40][8]; void set(unsigned i, unsigned j) { lines[i][j] = 1; }`)).toEqual({
    set: 1,
  });
  expect(entriesOf(`static int numbers[40]; void set(unsigned i) { numbers[i] = 0; }`)).toEqual({ set: 0 });
});

test.each([
  [3, 'proved'],
  [4, 'bug'],
])('%i characters of the names in a long table are written', async (written, expected) => {
  const verdict = await verify(
    task(file(table(written).replace('table[3]', 'table[60]').replace('i < 3', 'i < 60')), {
      budget: { milliseconds: 200_000 },
    }),
  );
  expect(verdict.kind).toBe(expected);
});

test.each([
  [3, 'proved'],
  [4, 'bug'],
])('a table of names of which the first %i characters are written', async (written, expected) => {
  const verdict = await verify(task(file(table(written)), { budget: { milliseconds: 200_000 } }));
  expect(verdict.kind).toBe(expected);
});
