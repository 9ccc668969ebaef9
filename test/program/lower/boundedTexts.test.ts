/** Functions of the library on arrays by name do what they do through pointers, and stay within the array. */
import fc from 'fast-check';
import { plainOptions, TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { programOf, resultOf } from '../programOf';

const library = '#include <string.h>\n';

/** Adds up what the text functions leave and return; `byName`: their arguments are arrays, not pointers. */
const sumOf = (as: 'byName' | 'throughPointers', a: string, b: string, count: number): string => {
  const [x, y, z] = as === 'byName' ? ['s.x', 's.y', 'z'] : ['px', 'py', 'pz'];
  return `${library}
    struct texts { char x[12]; int tail; char y[12]; } s;
    char z[10];
    long f(void) {
      char *px = s.x, *py = s.y, *pz = z;
      long sum = 0;
      s.tail = 7;
      strcpy(${x}, "${a}");
      strcpy(${y}, "${b}");
      memset(z, 'q', sizeof z);
      sum = sum * 31 + (long)strlen(${x});
      sum = sum * 31 + (strcmp(${x}, ${y}) > 0) - (strcmp(${y}, ${x}) > 0);
      sum = sum * 31 + strncmp(${x}, ${y}, ${count});
      sum = sum * 31 + strcmp("${b}", ${x});
      sum = sum * 31 + (strncpy(${z}, ${x}, ${count}) == pz);
      for (int i = 0; i < 10; i++) sum = sum * 31 + z[i];
      sum = sum * 31 + (strcpy(${y}, ${x}) == py);
      for (int i = 0; i < 12; i++) sum = sum * 31 + s.y[i];
      return sum + s.tail;
    }`;
};

const text = fc.string({ unit: fc.constantFrom('a', 'b', '\\200', 'c'), maxLength: 9 });

test('by name they do what they do through pointers', () => {
  fc.assert(
    fc.property(
      text,
      text,
      fc.integer({ min: 0, max: 10 }),
      fc.constantFrom('lp64' as const, 'ilp32' as const),
      (a, b, count, dataModel) => {
        const off = ['overflow'] as const;
        const [named, pointed] = (['byName', 'throughPointers'] as const).map((as) =>
          resultOf(sumOf(as, a, b, count), { dataModel, off }),
        );
        expect(named).toMatch(/^-?\d+$/);
        expect(named).toBe(pointed);
      },
    ),
    { numRuns: 12 },
  );
});

test.each([
  ['a copy that leaves the member', 'strcpy(s.a, "abcd");', 'array-bounds: s.a[…]'],
  ['the longest text that fits', 'strcpy(s.a, "abc");', '5'],
  ['zeros behind the member', 'strncpy(s.a, "ab", 5);', 'array-bounds: s.a[…]'],
  ['a member without an end', 'memset(s.a, 1, 4); return strlen(s.a);', 'array-bounds: s.a[…]'],
  [
    'a comparison beyond the member',
    'memset(s.a, 1, 4); return strcmp("\\1\\1\\1\\1\\1", s.a);',
    'array-bounds: s.a[…]',
  ],
  ['a counted comparison within', 'memset(s.a, 1, 4); return strncmp(s.a, "\\1\\1\\1\\1\\1", 4);', '0'],
  ['no structure', 'p = 0; strcpy(p->a, "abc");', 'null-dereference: p'],
  ['no text', 'strcpy(s.a, (char *)0);', 'null-dereference: (char *)0'],
  ['an element of a table', 'strcpy(t[i].a, "abcd");', 'array-bounds: t[i].a[…]'],
  ['an element beyond a table', 'i = 2; strcpy(t[i].a, "abc");', 'array-bounds: t[i]'],
  ['a text without an end', 'char b[2] = {1, 1}; strcpy(s.a, b);', 'array-bounds: b[…]'],
  ['the text itself', 'strcpy(s.a, "ab"); strcpy(s.a, s.a); return s.a[1];', '98'],
  ['arguments with effects', 'strcpy(t[i++].a, "abc"); return i;', '1'],
  ['an array that is a pointer', 'strcpy(flexible->a, "abc"); return flexible->a[2];', '99'],
  ['a result that is used', 'return strcpy(s.a, "ab")[1];', '98'],
] as const)('%s', (_, code, expected) => {
  const whole = `${library}#include <stdlib.h>
    struct s { char a[4]; int x; } s, t[2], *p = &s;
    struct flexible { int n; char a[]; };
    int f(void) {
      int i = 0;
      struct flexible *flexible = malloc(12);
      if (!flexible) return 0;
      s.x = 5;
      ${code}
      return s.x;
    }`;
  expect(resultOf(whole, { off: ['leak'] })).toBe(expected);
});

test("a program's own function of the name is called", () => {
  const own = `
    char *strcpy(char *to, const char *from) { to[0] = from[1]; return to; }
    int f(void) { char a[4]; strcpy(a, "xyz"); return a[0]; }`;
  expect(resultOf(own)).toBe('121');
});

/** Members that a proof knows apart, by their offset; undefined where the object is a row of bytes. */
function membersOf(body: string): readonly number[] | undefined {
  const program = programOf(`#include <stdlib.h>
${library}struct node { int id; char name[8]; struct node *next; };
static struct node *top;
int push(const char *name) {
  struct node *n = malloc(sizeof *n);
  if (n == NULL || name == NULL) return 0;
  ${body}
  n->next = top;
  top = n;
  return 1;
}`);
  const { memoryModel } = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: [program.functionByName.get('push')!],
    checkedProperties: new Set(['memsafety'] as const),
  });
  const { regions } = memoryModel;
  const node = regions.roots().find(({ origins }) => [...origins].some(({ kind }) => kind === 'heap'))!;
  const layout = regions.layout(node);
  return layout.kind === 'slots' ? layout.slots.map(({ offset }) => offset) : undefined;
}

test.each([
  ['strcpy(n->name, name);', [4, 16]],
  ['strncpy(n->name, name, 7); n->name[7] = 0; n->id = strlen(n->name);', [0, 4, 16]],
  ['n->id = strcmp(name, n->name) || strncmp(n->name, name, 3);', [0, 4, 16]],
  ['char *p = n->name; strcpy(p, name);', undefined],
] as const)('a name leaves the links beside it alone: %s', (body, expected) => {
  expect(membersOf(body)).toEqual(expected);
});
