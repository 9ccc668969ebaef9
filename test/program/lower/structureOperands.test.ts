/** Structures as operands: their value is read as a whole, in no particular order with the other operands. */
import { verify } from '../../../src/index';
import { file, task } from '../../engines/task';

jest.setTimeout(120_000);

const head = `
void reach_error(void);
struct pair { int left, right; };
static struct pair kept;
static int change(void) { kept.left = 9; return 0; }
`;
const verdictOf = async (body: string) =>
  verify(
    task(file(head + body), {
      mode: 'program',
      entries: ['main'],
      properties: ['reach', 'memsafety'],
      load: { externals: 'any' },
      budget: { milliseconds: 20_000 },
    }),
  );

test.each([
  [
    'first',
    'static int use(struct pair p, int z) { return p.left + z; } ' +
      'int main(void) { kept.left = 1; if (use(kept, change()) == 9) reach_error(); return 0; }',
  ],
  [
    'first, the other way',
    'static int use(struct pair p, int z) { return p.left + z; } ' +
      'int main(void) { kept.left = 1; if (use(kept, change()) == 1) reach_error(); return 0; }',
  ],
  [
    'last',
    'static int use(int z, struct pair p) { return p.left + z; } ' +
      'int main(void) { kept.left = 1; if (use(change(), kept) == 1) reach_error(); return 0; }',
  ],
])('an argument that another one changes is passed before and after that: %s', async (_, body) => {
  expect((await verdictOf(body)).kind).toBe('bug');
});

test.each([
  [
    'through a pointer to the function',
    'static int use(struct pair p, int z) { return p.left + z; } static int (*chosen)(struct pair, int) = use; ' +
      'int main(void) { kept.left = 1; if (chosen(kept, change()) == 9) reach_error(); return 0; }',
  ],
  [
    'by the place that it is assigned to',
    'static struct pair other; static struct pair *place(void) { kept.left = 5; return &other; } ' +
      'int main(void) { kept.left = 1; *place() = kept; if (other.left == 1) reach_error(); return 0; }',
  ],
])('where one order is taken, the verdict says so: changed %s', async (_, body) => {
  const verdict = await verdictOf(body);
  expect(verdict.kind === 'bug' || verdict.assumptions.some((one) => one.includes('left to right'))).toBe(true);
});

test('a member of an assignment is one of its value, not of the target', async () => {
  const body =
    'extern int nondet(void); int main(void) { struct pair t; kept.left = nondet(); int z = (t = kept).left; ' +
    'return z != t.left; }';
  expect((await verdictOf(body)).kind).toBe('proved');
});
