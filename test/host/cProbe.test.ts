/** C expressions become formulas; what is no condition over integers and pointers is refused at its place. */
import { interiorArguments } from '../../src/abstraction/predicates/joinedArguments';
import { type ProbeFormula, variablesOf } from '../../src/abstraction/predicates/probeFormula';
import { readCProbe, type CProbe } from '../../src/host/cProbe';
import { argumentScope, scopeOf } from '../../src/host/probeScope';
import { programOf } from '../program/programOf';

const program = programOf(`
  struct node { int value; struct node *next; };
  enum state { IDLE = 3, BUSY };
  int size, max, x, y, z, elems[8]; struct node *head, first; double ratio;
  void push(int value) { int free = value; elems[size] = free; }`);

function read(text: string, local = false): CProbe {
  return readCProbe(
    text,
    scopeOf(program, 'm.c', local ? program.functionByName.get('push') : undefined),
    program.enumConstants,
  );
}

function check(text: string, local = false): ProbeFormula {
  const result = read(text, local);
  if (result.kind === 'mistake') throw new Error(result.message);
  return result.formula;
}

/** With a text. */
function checkIn(text: string): CProbe {
  const withText = programOf('unsigned length(const char *text) { return *text; }');
  return readCProbe(
    text,
    argumentScope(withText, 'm.c', withText.functionByName.get('length')!),
    withText.enumConstants,
  );
}

const path = (variable: string, ...fields: string[]): ProbeFormula => ({
  kind: 'path',
  variable,
  steps: fields.map((name) => ({ kind: 'field', name })),
});
const integer = (value: number): ProbeFormula => ({ kind: 'integer', value: String(value) });

test('how much lies behind a pointer', () => {
  expect(check('PROVEST_LENGTH(head) >= size')).toEqual({
    kind: '>=',
    left: { kind: 'length', of: path('head') },
    right: path('size'),
  });
  expect(check('size <= PROVEST_LENGTH(elems)')).toEqual({ kind: '<=', left: path('size'), right: integer(8) });
  expect(read('PROVEST_LENGTH(size) > 1')).toMatchObject({
    kind: 'mistake',
    message: expect.stringContaining("PROVEST_LENGTH counts the elements behind a pointer to an object; this is 'int'"),
  });
  expect(read('PROVEST_LENGTH(1) > 1').kind).toBe('mistake');
  expect(read('PROVEST_LENGTH > 1').kind).toBe('mistake');
});

describe('conditions on lists', () => {
  const list = { kind: 'list', list: path('head'), link: 'next' };

  test('are told by their names', () => {
    expect(check('acyclic(head)')).toEqual({ ...list, is: 'acyclic' });
    expect(check('reach(head, head->next)')).toEqual({ ...list, is: 'through', node: path('head', 'next') });
    expect(check('3 > length(head->next)')).toEqual({
      kind: '>',
      left: integer(3),
      right: { ...list, list: path('head', 'next'), is: 'length' },
    });
    expect(check('every(head, n => n->value > size && n->next != n, next)')).toEqual({
      ...list,
      is: 'every',
      name: 'n',
      condition: {
        kind: 'and',
        left: { kind: '>', left: path('n', 'value'), right: path('size') },
        right: { kind: '!=', left: path('n', 'next'), right: path('n') },
      },
    });
  });

  test('mention variables, but not the node', () => {
    expect(variablesOf(check('every(head, n => n->value > size) && reach(head, head)'))).toEqual([
      'head',
      'size',
      'head',
      'head',
    ]);
  });

  test.each([
    ['acyclic(size)', "acyclic is about a pointer to the nodes of a list; this is 'int'"],
    ['acyclic(head, value)', "'value' is no link of 'struct node': it has next"],
    ['reach(head)', "',' is missing"],
    ['every(head, n->value > 0)', "'=>' is missing"],
    ['every(head, 3 => 1)', 'write a condition on each node'],
    ['every(head, n => m->value > 0)', "'m' is none of the variables"],
    ['length(head)', 'a length is no condition'],
    ['length(head) && size > 0', 'a length is no condition'],
    ['size > 0 || length(head)', 'a length is no condition'],
  ])('not in %s', (text, message) => {
    expect(read(text)).toMatchObject({ kind: 'mistake', message: expect.stringContaining(message) });
  });

  test('name the link where a node has several, and need one', () => {
    const tree = programOf(`
      struct tree { struct tree *left, *right; } *root; struct { int x; } *point;
      int acyclic; void f(void) { root = root->left; acyclic = point->x; }`);
    const readIn = (text: string): CProbe => readCProbe(text, scopeOf(tree, 'm.c', undefined), tree.enumConstants);
    expect(readIn('reach(root, root, right)')).toMatchObject({ formula: { link: 'right' } });
    expect(readIn('length(root) > 1')).toMatchObject({ message: expect.stringContaining('the links left, right') });
    expect(readIn('length(point) > 1')).toMatchObject({ message: expect.stringContaining('is no node of a list') });
    // A variable of the module hides the word.
    expect(readIn('acyclic == 1').kind).toBe('formula');
    expect(readIn('acyclic(root, left)').kind).toBe('mistake');
  });
});

test('null by its number', () => {
  expect(check('head != 0 && 0 == head->next')).toEqual(check('head != NULL && NULL == head->next'));
  expect(check('size != 0')).toMatchObject({ right: integer(0) });
});

test('whether a text ends, or an array in an element of zeros', () => {
  expect(checkIn('PROVEST_TERMINATED(text)')).toEqual(
    checkIn('PROVEST_LENGTH(text) > 0 && text[PROVEST_LENGTH(text) - 1] == 0'),
  );
  expect(check('PROVEST_TERMINATED(elems)')).toEqual(check('8 > 0 && elems[8 - 1] == 0'));
  const last = 'head[PROVEST_LENGTH(head) - 1]';
  expect(check('PROVEST_TERMINATED(head)')).toEqual(
    check(`PROVEST_LENGTH(head) > 0 && ${last}.value == 0 && ${last}.next == NULL`),
  );
  const rows = programOf('struct row { int cells[2]; } *rows; void f(void) { rows->cells[0] = 1; }');
  expect(readCProbe('PROVEST_TERMINATED(rows)', scopeOf(rows, 'm.c', undefined), rows.enumConstants)).toMatchObject({
    kind: 'mistake',
    message: expect.stringContaining("PROVEST_TERMINATED says that the last element is 0; these are 'struct row'"),
  });
  expect(read('PROVEST_TERMINATED(size)').kind).toBe('mistake');
});

describe('one object', () => {
  test('of two pointers, or a pointer and an array', () => {
    expect(check('PROVEST_SAME_OBJECT(head, head->next)')).toEqual({
      kind: 'same-object',
      left: path('head'),
      right: { ...path('head'), steps: [{ kind: 'field', name: 'next' }] },
    });
    expect(check('!PROVEST_SAME_OBJECT(head, elems)')).toMatchObject({ kind: 'not' });
  });

  test.each([
    ['PROVEST_SAME_OBJECT(head, size)', "is about two pointers to objects, or arrays; this is 'int'"],
    ['PROVEST_SAME_OBJECT(head)', "',' is missing"],
    ['PROVEST_SAME_OBJECT(head, 3)', 'only a variable has members and elements'],
  ])('not in %s', (text, message) => {
    expect(read(text)).toMatchObject({ kind: 'mistake', message: expect.stringContaining(message) });
  });

  test('of two arguments, which may lead to any element of it then', () => {
    const program = programOf('char b[4]; int f(char *p, char *q, char **r) { b[0] = 0; return p == q; }');
    const fn = program.functionByName.get('f')!;
    const scope = argumentScope(program, 'm.c', fn);
    const interior = (text: string): readonly string[] => {
      const { formula } = readCProbe(text, scope, program.enumConstants) as { readonly formula: ProbeFormula };
      return [...interiorArguments([{ function: 'f', formula }], program)].map(({ name }) => name);
    };
    for (const text of ['!PROVEST_SAME_OBJECT(p, q)', 'PROVEST_SAME_OBJECT(p, b)', 'p != q'])
      expect([text, interior(text)]).toEqual([text, []]);
    for (const text of [
      'PROVEST_SAME_OBJECT(p, q)',
      '!!PROVEST_SAME_OBJECT(p, q)',
      '!PROVEST_SAME_OBJECT(p, q) == 0',
      'p != q && PROVEST_SAME_OBJECT(p, q)',
      'PROVEST_SAME_OBJECT(p, q) ? p == q : p != q',
      'p <= q',
      '!(q < p)',
      'q - p >= 4',
    ])
      expect([text, new Set(interior(text))]).toEqual([text, new Set(['p', 'q'])]);
    expect(interior('PROVEST_SAME_OBJECT(*r, q)')).toEqual(['q']);
  });

  test('not of arguments of two types, whose objects are kept apart', () => {
    const program = programOf('struct s { int a; }; int f(struct s *s, int *q) { return s->a + *q; }');
    const scope = argumentScope(program, 'm.c', program.functionByName.get('f')!);
    expect(readCProbe('PROVEST_SAME_OBJECT(s, q)', scope, program.enumConstants)).toMatchObject({
      kind: 'mistake',
      message: expect.stringContaining('s and q lead to different types') as string,
    });
    expect(readCProbe('!PROVEST_SAME_OBJECT(s, q)', scope, program.enumConstants).kind).toBe('formula');
  });
});

test('floating point is compared', () => {
  expect(check('ratio <= 0.5')).toEqual({ kind: '<=', left: path('ratio'), right: { kind: 'number', value: 0.5 } });
  expect(check('-1e-3 < ratio && ratio < .5')).toEqual({
    kind: 'and',
    left: { kind: '<', left: { kind: 'number', value: -0.001 }, right: path('ratio') },
    right: { kind: '<', left: path('ratio'), right: { kind: 'number', value: 0.5 } },
  });
  expect(check('ratio == 0.1f || ratio != 30. || ratio > size')).toMatchObject({
    left: { left: { right: { value: Math.fround(0.1) } }, right: { right: { value: 30 } } },
    right: { kind: '>', right: path('size') },
  });
  expect(check('size == 0x1e5')).toEqual({ kind: '==', left: path('size'), right: integer(0x1e5) });
});

test('precedence and paths', () => {
  expect(check('size == max && head->next != NULL')).toEqual({
    kind: 'and',
    left: { kind: '==', left: path('size'), right: path('max') },
    right: { kind: '!=', left: path('head', 'next'), right: { kind: 'null' } },
  });
  expect(check('x + 2 * y << 1 < z')).toEqual(check('((x + (2 * y)) << 1) < z'));
  expect(check('elems[size - 1] == IDLE')).toEqual({
    kind: '==',
    left: {
      kind: 'path',
      variable: 'elems',
      steps: [{ kind: 'index', index: { kind: '-', left: path('size'), right: integer(1) } }],
    },
    right: integer(3),
  });
  expect(check("x == 'a' ? y : 0x1fUL")).toEqual({
    kind: 'conditional',
    condition: { kind: '==', left: path('x'), right: integer(97) },
    then: path('y'),
    otherwise: integer(31),
  });
  expect(check('(*head).value > first.value')).toEqual({
    kind: '>',
    left: { kind: 'path', variable: 'head', steps: [{ kind: 'dereference' }, { kind: 'field', name: 'value' }] },
    right: path('first', 'value'),
  });
  expect(check('free == value && size == 010', true)).toEqual({
    kind: 'and',
    left: { kind: '==', left: path('free'), right: path('value') },
    right: { kind: '==', left: path('size'), right: integer(8) },
  });
});

test.each([
  ['size = 1', 'size = 1\n       ^', 'compare with =='],
  ['size++', 'size++\n      ^', 'no side effects'],
  ['size += 1', 'size += 1\n       ^', 'no side effects'],
  ['push(size)', 'push(size)\n  ^', "'push' is none of the variables"],
  ['size(1)', 'size(1)\n      ^', 'no calls'],
  ['size ==', 'size ==\n         ^', 'missing at the end'],
  ['', '^', 'empty'],
  ['sizeof size', 'sizeof size\n  ^', 'sizeof'],
  ['1.5 < size', '1.5', 'whole number'],
  ['size == 09', '09\n          ^', 'whole number'],
  ['size max', 'max\n       ^', 'not expected here'],
  ['sizes == 1', 'sizes == 1\n  ^', "did you mean 'size'?"],
  ['free == 1', '^', "'free' is none of the variables of m.c"],
  ['head->nxt == NULL', 'head->nxt == NULL\n        ^', "'struct node' has no member 'nxt'; did you mean 'next'?"],
  ['head.next == NULL', 'head.next == NULL\n      ^', "'.' wants a struct; this is 'struct node *'"],
  ['size[1] == 1', 'size[1]', "'[' wants an array or a pointer; this is 'int'"],
  ['*size == 1', '*size == 1\n  ^', "'*' wants a pointer"],
  ['x == first', 'x == first\n       ^', "this is 'struct node'; compare one of its parts"],
  ['elems == 1', 'elems == 1\n  ^', "this is 'int[8]'"],
  ['ratio + 1 > 2', '^', 'floating point is only compared'],
  ['ratio', '^', 'floating point is only compared'],
  ['ratio * 0.5 < 1', '^', 'no whole number'],
  ['(size + 1).value', '^', 'only a variable has members'],
])('%s is refused', (text, frame, message) => {
  const result = read(text);
  expect(result).toEqual({ kind: 'mistake', message: expect.stringContaining(message) as string });
  expect(result).toEqual({ kind: 'mistake', message: expect.stringContaining(frame) as string });
});
