/** Memory of a C module in a test: objects that the test makes, pointers, and who may write. */
import { CFault } from '../../src/host/fault';
import { isPointer, type Pointer } from '../../src/host/pointer';
import { load } from './moduleOf';

describe('memory', () => {
  const list = `
    #include <stdlib.h>
    typedef struct node { int value; struct node *next; char *name; } node;
    node *head; int count; int table[2][3]; const int limit = 9; struct { int x; } here; static long hidden = 7;
    node *add(int value, char *name) { node *n = malloc(sizeof *n); n->value = value; n->next = head; n->name = name;
      head = n; count++; return n; }
    void drop(void) { node *n = head; head = n->next; free(n); }
    int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }`;

  test('globals are read and written as plain values, nested ones too', () => {
    const module = load(list);
    module.global.count = 3;
    expect(module.global.count).toBe(3);
    module.global.table = [[1, 2], [3]];
    (module.global.table as number[][])[1]![2] = 5;
    expect(module.global.table).toEqual([
      [1, 2, 0],
      [3, 0, 5],
    ]);
    (module.global.here as { x: number }).x = 4;
    expect(module.global.here).toEqual({ x: 4 });
    expect(module.global.hidden).toBe(7n);
    expect({ ...module.global }).toMatchObject({ count: 3, limit: 9, head: null });
    expect(() => {
      module.global.limit = 1;
    }).toThrow('constant');
    expect(() => {
      module.global.coun = 1;
    }).toThrow("did you mean 'count'?");
    expect(() => {
      (module.global.table as number[][])[1]![3] = 5;
    }).toThrow('outside the array: it has 3 elements');
    expect(() => {
      module.global.count = 2 ** 40;
    }).toThrow("global.count: 1099511627776 does not fit in 'int'");
  });

  test('pointers are followed when read, cycles stay cycles', () => {
    const module = load(list);
    module.fn('add')(1, 'one');
    const p = module.fn('add')(2, 'two') as Pointer;
    expect(isPointer(p)).toBe(true);
    expect(p.type).toBe('struct node');
    expect(module.read(p)).toEqual({ value: 2, name: 'two', next: { value: 1, name: 'one', next: null } });
    expect(p.field('name').read()).toBe('two');
    expect(module.global.head).toEqual(p);
    p.field('next').write(p);
    const cyclic = module.read(p) as { next: unknown };
    expect(cyclic.next).toBe(cyclic);
    p.field('next').write(null);
    module.fn('drop')();
    expect(() => module.read(p)).toThrow('lifetime has ended');
  });

  test('a structure that was read goes back with the pointers it had, as far as its members are what was read', () => {
    const module = load(`
      struct span { const char *from, *to; int n; const int *number; }; static const int seven = 7;
      struct span whole(const char *s, int n) { struct span r = { s, s + n, n, &seven }; return r; }
      struct span rest(struct span s) { s.from++; s.n--; return s; }
      long length(struct span s) { return s.to - s.from; }
      int same(struct span s, const struct span *t, const char *text)
          { return (s.from == text) + 2 * (s.from == t->from) + 4 * (s.number == &seven); }`);
    const text = module.alloc('char[8]', 'spanned');
    const span = module.fn('whole')(text, 7) as Record<string, unknown>;
    expect(span).toEqual({ from: 'spanned', to: '', n: 7, number: 7 });
    expect(module.fn('length')(span)).toBe(7n);
    expect(module.fn('length')(module.fn('rest')(module.fn('rest')(span)))).toBe(5n);
    const kept = module.alloc('struct span', span);
    expect(module.fn('same')(span, kept, text)).toBe(7);
    expect(module.fn('same')(module.read(kept), kept, text)).toBe(7);
    span.from = 'other';
    expect(module.fn('same')(span, kept, text)).toBe(4);
    // What was read before does not lead into the memory of the next run.
    const before = module.read(kept);
    module.reset();
    expect(() => module.fn('length')(before)).toThrow("length(s).number: 7 does not fit in 'const int *'");
  });

  test('objects of the host', () => {
    const module = load(list);
    const a = module.alloc('int[4]', [1, 2, 3]);
    expect(module.read(a)).toEqual([1, 2, 3, 0]);
    a.at(3).write(10);
    expect(module.fn('sum')(a, 4)).toBe(16);
    expect(module.fn('sum')(a.at(2), 2)).toBe(13);
    expect(module.read(module.alloc('int'))).toBeUndefined();
    expect(module.read(module.alloc('char[]', 'hi'))).toEqual([104, 105, 0]);
    expect(module.alloc('node', { value: 3 }).read()).toEqual({ value: 3, next: null, name: null });
    expect(() => module.fn('sum')(module.alloc('node', {}), 1)).toThrow("convert it as C would: p.as('const int')");
    expect(() => module.alloc('nodes')).toThrow(
      "'nodes' is not a C type: it is neither a basic type nor a typedef or tag of the module; did you mean 'node'?",
    );
    expect(() => module.fn('sum')(a, 5)).toThrow(CFault);
  });

  test('elements behind a pointer whose type does not tell how many there are', () => {
    const module = load(
      'typedef void (*seen)(const unsigned char *bytes, unsigned long n); static unsigned char kept[4] = { 1, 2 };' +
        'void show(seen f) { f(kept, 2); f(kept + 3, 1); f(kept + 3, 0); f(kept + 3, 2); }',
    );
    const frames: unknown[] = [];
    const see = (bytes: Pointer, count: bigint) => frames.push(bytes.read(count));
    expect(() => module.fn('show')(see)).toThrow('points outside its object of 4 bytes');
    expect(frames).toEqual([[1, 2], [0], []]);
    const a = module.alloc('short[3]', [7, 8, 9]);
    expect([module.read(a, 2), a.at(1).read(2)]).toEqual([
      [7, 8],
      [8, 9],
    ]);
    expect(() => a.read(-1)).toThrow('read: -1 is not a number of elements');
    expect(() => a.read(1.5)).toThrow('read: 1.5 is not a number of elements');
  });

  test('a fault at a fixed address, as of a register, says where the page on them is', () => {
    const module = load(
      'int ready(void) { return *(volatile unsigned *)0x50040000 & 4; } int one(int *p) { return *p; }',
    );
    expect(() => module.fn('ready')()).toThrow(
      /address 0x50040000, where no object lies[^]*hint: .*docs\/firmware\.md/,
    );
    expect(() => module.fn('one')(null)).toThrow(/^(?![^]*hint)/);
  });

  test('bytes and numbers of typed arrays', () => {
    const module = load(
      'int sum(const int *v, int n) { int s = 0; for (int i = 0; i < n; i++) s += v[i]; return s; } ' +
        'int first(const void *p) { return *(const unsigned char *)p; } int low(const char *p) { return *p; }',
    );
    expect(module.fn('sum')(Int32Array.of(1, 2, -5), 3)).toBe(-2);
    expect(module.fn('sum')(Buffer.from([1, 2]), 2)).toBe(3);
    expect(module.fn('first')(Buffer.from([200, 1]))).toBe(200);
    expect(module.fn('first')(Uint16Array.of(0x1234))).toBe(0x34);
    expect(module.fn('low')(Uint8Array.of(200))).toBe(-56);
    expect(module.read(module.alloc('unsigned char[]', Buffer.from('hi')))).toEqual([104, 105]);
    expect(module.read(module.alloc('double[3]', Float64Array.of(0.5, 1)))).toEqual([0.5, 1, 0]);
    expect(() => module.alloc('unsigned char[1]', Buffer.from('hi'))).toThrow(
      "2 values do not fit in 'unsigned char[1]'; give at most 1",
    );
    expect(() => module.fn('sum')(Float64Array.of(0.5), 1)).toThrow('0.5 is not a whole number');
    // Behind none there is none, not one that happens to be zero.
    expect([module.fn('sum')([], 0), module.fn('sum')(new Int32Array(0), 0)]).toEqual([0, 0]);
    expect(() => module.fn('sum')([], 1)).toThrow("out of bounds: v[i]: offset 0 in 'int[0]' (0 bytes)");
    expect(() =>
      load('int first(const void *p) { return *(const unsigned char *)p; }').fn('first')(Buffer.alloc(0)),
    ).toThrow("offset 0 in 'unsigned char[0]' (0 bytes)");
    expect(() => module.fn('first')([1, 2])).toThrow(
      "which wants null, a string, a Buffer or another typed array, or a pointer, such as alloc('int[3]', [1, 2, 3])",
    );
  });

  test('a pointer that is stored somewhere, as it is', () => {
    const module = load(
      'typedef struct box { int v; struct box *next; } box; static box only = { 7, 0 }; ' +
        'int open(box **out) { *out = &only; return 0; } int value(box *b) { return b->v++; }',
    );
    const out = module.alloc('box *', null);
    expect(out.deref()).toBeNull();
    module.fn('open')(out);
    expect([module.fn('value')(out.deref()), module.fn('value')(out.deref())]).toEqual([7, 8]);
    expect(out.deref()!.field('next').deref()).toBeNull();
    expect(() => out.deref()!.deref()).toThrow('leads to no pointer; what is there is read with read()');
    expect(() => module.alloc('box *').deref()).toThrow('leads to a pointer that was never written');
    expect(() => module.alloc('int', 1).as('int *').read()).toThrow(
      "points outside its object of 4 bytes; C's (int *)p is p.as('int')",
    );
  });

  test('pointers do not outlive a reset, nor do they change modules', () => {
    const module = load(list);
    const a = module.alloc('int[2]', [1, 2]);
    module.fn('sum')(a, 2);
    module.reset();
    expect(() => module.fn('sum')(a, 2)).toThrow('made before the module was reset');
    expect(() => load(list).fn('sum')(module.alloc('int[2]'), 2)).toThrow('belongs to another module');
  });
});
