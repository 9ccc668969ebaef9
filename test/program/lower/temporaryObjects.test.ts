/** C11 6.2.4p8: an array in a structure that is a value lives as long as the full expression. */
import { verify } from '../../../src/index';
import { file, task } from '../../engines/task';

jest.setTimeout(120_000);

const head = `
void reach_error(void);
struct list { int a[3]; };
struct view { int *p; int n; };
static struct list make(int k) { return (struct list){ { k, k + 1, k + 2 } }; }
static int *kept;
static int keep(int *p) { kept = p; return p[0]; }
static int sum(const int *p) { return p[0] + p[1] + p[2]; }
static int first(struct view v) { return v.p[0] + v.n; }
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
  ['an initialiser', 'int main(void) { int *p = make(1).a; return *p; }'],
  ['a value of an initialiser', 'int main(void) { struct view v = { make(1).a, 2 }; return v.p[0]; }'],
  ['an expression statement', 'int main(void) { int *p; p = make(1).a; return *p; }'],
  ['a condition', 'int main(void) { if (keep(make(1).a)) return *kept; return 0; }'],
  ['the condition of a loop', 'int main(void) { while (keep(make(1).a) == 1) return *kept; return 0; }'],
  ['a switch', 'int main(void) { switch (keep(make(1).a)) { case 1: return *kept; } return 0; }'],
  ['the result of a function', 'static int f(void) { return keep(make(1).a); } int main(void) { return f() + *kept; }'],
  ['an assignment', 'int main(void) { struct list x = { { 1 } }, y; int *p = (y = x).a; return *p; }'],
  ['a choice', 'int main(int n, char **v) { struct list x = { { 1 } }, y = x; int *p = (n ? x : y).a; return *p; }'],
  [
    'a statement expression',
    'int main(void) { struct list x = { { 1 } }; int *p = ({ struct list y = x; y; }).a; return *p; }',
  ],
])('a pointer to its elements does not outlive %s', async (_, body) => {
  expect((await verdictOf(body)).kind).toBe('bug');
});

test('its elements cannot be changed', async () => {
  expect((await verdictOf('int main(void) { make(3).a[0] = 5; return 0; }')).kind).toBe('bug');
});

test('it is used until the full expression ends, anew in each round', async () => {
  const verdict = await verdictOf(`
    static int second(int k) { return make(k).a[1]; }
    static struct list twice(int k) { return make(make(k).a[2]); }
    int main(void) {
      int t = 0;
      for (int i = make(0).a[0]; i < make(1).a[2]; i += make(0).a[1]) {
        t += make(i).a[i];
        if (make(i).a[0] == 2) continue;
      }
      if (t != 6 || sum(make(3).a) != 12) reach_error();
      while (make(t).a[0] > 2) t--;
      do t++; while (make(t).a[0] < 5);
      if (t != 5 || second(3) != 4 || twice(2).a[0] != 4) reach_error();
      if (first((struct view){ make(7).a, 2 }) != 9) reach_error();
      int z = ({ int r = make(4).a[0]; r + make(1).a[0]; }) + make(5).a[0];
      if (z != 10) reach_error();
    again:
      t += make(1).a[0];
      if (t < 8) goto again;
      return 0;
    }`);
  expect(verdict.kind).toBe('proved');
});

test('the left operand of a comma is no full expression', async () => {
  const right = 'int main(void) { if ((keep(make(6).a), kept[1]) != 7) reach_error(); return 0; }';
  expect((await verdictOf(right)).kind).toBe('proved');
  expect((await verdictOf('int main(void) { int k = (keep(make(6).a), 1); return k + *kept; }')).kind).toBe('bug');
});

test('a compound literal beside it lives as long as its block', async () => {
  const verdict = await verdictOf(`
    int main(void) {
      int *p = (make(1).a[0], (int[]){ 8, 9 });
      struct view v = { (int[]){ 4, 5 }, make(2).a[0] };
      if (p[1] != 9 || v.p[1] != 5 || v.n != 2) reach_error();
      return 0;
    }`);
  expect(verdict.kind).toBe('proved');
});
