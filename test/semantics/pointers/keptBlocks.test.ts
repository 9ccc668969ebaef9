/** A client passes no block that the module keeps to itself, whatever type the client's own memory has. */
import { plainOptions, TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { verify } from '../../../src/index';
import { loadProgram } from '../../../src/program';
import { keepsBlocks } from '../../../src/semantics/pointers/keptBlocks';
import { file, task } from '../../engines/task';
import { inLongForm } from '../../long';

const buffer = `
  #include <provest.h>
  #include <stdlib.h>
  #include <string.h>
  static char *data;
  int open_it(void) {
    if (data == NULL) data = malloc(8);
    return data != NULL;
  }
  void write_it(const char *bytes) {
    PROVEST_REQUIRES(PROVEST_LENGTH(bytes) >= 2);
    if (data != NULL && bytes != NULL) memcpy(data + 1, bytes, 2);
  }
  void write_some(const char *bytes, unsigned n) {
    PROVEST_REQUIRES(PROVEST_LENGTH(bytes) >= n);
    if (data != NULL && n <= 8) memcpy(data, bytes, n);
  }`;

function isKept(text: string): boolean {
  const program = loadProgram([file(text)], { externals: 'any' });
  const entries = program.functions.filter(({ linkage, library }) => linkage === 'external' && !library);
  const { regions } = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries,
    checkedProperties: new Set(['memsafety'] as const),
  }).memoryModel;
  const [bytes] = program.functionByName.get('write_it')!.parameters;
  const target = regions.pointee({ kind: 'read', type: bytes!.type, variable: bytes! })!;
  return keepsBlocks(regions, target.node);
}

test.each([
  ['stays in a static variable', '', true],
  ['is compared', 'int is_it(const char *bytes) { return bytes == data; }', true],
  ['is read', 'int first(void) { return data == NULL ? -1 : data[0]; }', true],
  ['is freed', 'void drop(void) { free(data); data = NULL; }', true],
  [
    'goes through a function',
    'static char *id(char *p) { return p; } int see(void) { return id(data) != NULL; }',
    true,
  ],
  ['is returned', 'char *get(void) { return data; }', false],
  ['is returned from its middle', 'char *get(void) { return data == NULL ? NULL : data + 1; }', false],
  [
    'is returned by way of a function',
    'static char *id(char *p) { return p; } char *get(void) { return id(data); }',
    false,
  ],
  ['is stored in memory of a client', 'void get(char **out) { if (out != NULL) *out = data; }', false],
  [
    'is copied to memory of a client',
    'struct box { char *p; }; static struct box own; ' +
      'void get(struct box *b) { own.p = data; if (b != NULL) memcpy(b, &own, sizeof own); }',
    false,
  ],
  [
    'is in a structure that is returned',
    'struct box { char *p; }; struct box get(void) { struct box b = { data }; return b; }',
    false,
  ],
  ['is in a variable that clients see', 'char *seen; void show(void) { seen = data; }', false],
  ['is in an array that clients see', 'char *seen[2]; void show(void) { seen[1] = data; }', false],
  ['is passed to a function without a body', 'extern void use(char *); void show(void) { use(data); }', false],
  ['is passed to a listener', 'void show(void (*f)(char *)) { if (f != NULL) f(data); }', false],
  [
    'is reached from what a listener is passed',
    'struct box { char *p; }; static struct box own; ' +
      'void show(void (*f)(struct box *)) { own.p = data; if (f) f(&own); }',
    false,
  ],
  [
    'is the result of a function that is called back',
    'extern void set(char *(*)(void)); static char *get(void) { return data; } void start(void) { set(get); }',
    false,
  ],
  [
    'is stored by a function that is called back',
    'extern void set(void (*)(char **)); static void get(char **to) { if (to) *to = data; } ' +
      'void start(void) { set(get); }',
    false,
  ],
  [
    'is stored for its caller by a function that strangers may call, too',
    'static void give(char **to) { *to = data; } int own(void) { char *x = NULL; give(&x); return x != NULL; } ' +
      'void (*getter(void))(char **) { return give; }',
    false,
  ],
  ['is printed', '#include <stdio.h>\nvoid show(void) { printf("%p", (void *)data); }', false],
  [
    'is written to a stream',
    '#include <stdio.h>\nvoid save(FILE *f) { if (f) fwrite(&data, sizeof data, 1, f); }',
    false,
  ],
  [
    'is compared by a function whose address is taken',
    'static int order(const void *a, const void *b) { return *(const char *)a - *(const char *)b; } ' +
      'void sort(void) { if (data) qsort(data, 8, 1, order); }',
    true,
  ],
  ['is made a number', 'unsigned long number(void) { return (unsigned long)data; }', false],
])('a block that %s', (_, more, kept) => {
  expect(isKept(`${buffer}\n${more}`)).toBe(kept);
});

test('the source of a copy is no block of the module, unless a client has a pointer to it', async () => {
  const verdict = async (text: string): Promise<readonly string[]> => {
    const { checks = [] } = await verify(task(file(text)));
    return checks.filter(({ check }) => check === 'overlapping-copy').map(({ status }) => status);
  };
  expect(await verdict(buffer)).toEqual(['proved', 'proved']);
  expect(await verdict(`${buffer}\nchar *get(void) { return data; }`)).toContain('fails');
});

inLongForm('the source is no block either where blocks and clients share no region', async () => {
  const log = `
    #include <provest.h>
    #include <stdlib.h>
    #include <string.h>
    static struct { char *data; unsigned used; } logs[2];
    int log_open(unsigned i) {
      if (i >= 2) return -1;
      if (logs[i].data == NULL) logs[i].data = malloc(32);
      logs[i].used = 0;
      return logs[i].data != NULL;
    }
    int log_write(unsigned i, const char *bytes, unsigned n) {
      PROVEST_REQUIRES(bytes != NULL && PROVEST_LENGTH(bytes) >= n);
      if (i >= 2 || logs[i].data == NULL || n > 32 - logs[i].used) return -1;
      memcpy(logs[i].data + logs[i].used, bytes, n);
      logs[i].used += n;
      return 0;
    }`;
  expect((await verify(task(file(log)))).kind).toBe('proved');
  const shown = await verify(
    task(file(`${log}\nconst char *log_text(void) { return logs[0].data; }`), { budget: { milliseconds: 6_000 } }),
  );
  expect(shown.checks!.find(({ check }) => check === 'overlapping-copy')!.status).not.toBe('proved');
});

test('an object that a client has set up is no block of the module, although both are set up alike', async () => {
  const text = `
    #include <assert.h>
    #include <stdlib.h>
    struct s { int n; int m; };
    static struct s *own;
    static void set(struct s *p, int v) { if (p) p->n = v; }
    void s_init(struct s *p) { if (p) { p->n = 0; p->m = 0; } }
    void s_set(struct s *p, int v) { set(p, v); }
    void s_use(struct s *p) { assert(p == NULL || (unsigned)p->n * 2654435761u != 0x12345677u); }
    void mine(void) { if (!own) own = malloc(sizeof *own); if (own) set(own, 1); }`;
  const initialisedBy = [{ type: 'struct s', functions: ['s_init'] }];
  const { kind } = await verify(task(file(text), { initialisedBy, budget: { milliseconds: 10_000 } }));
  expect(kind).not.toBe('proved');
});
