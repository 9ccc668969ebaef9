/** Undefined functions of a C module: stubs, queued answers, inputs, files and output. */
import type { ModuleInstance } from '../../src/host/module';
import { callsBack } from '../../src/host/operation';
import { isPointer, type Pointer } from '../../src/host/pointer';
import { replay } from '../../src/host/replay';
import { load } from './moduleOf';

describe('the environment', () => {
  const sensor =
    'int read_sensor(int port); void log_it(int); extern int ready(void); ' +
    'int f(int p) { log_it(p); return ready() ? read_sensor(p) : -1; }';

  test('stubs answer, and are checked', () => {
    const logged: unknown[] = [];
    const stubs = {
      read_sensor: (port: unknown) => Number(port) + 40,
      log_it: (n: unknown) => {
        logged.push(n);
      },
      ready: 'any' as const,
    };
    const module = load(sensor, { stubs });
    expect(module.fn('f')(2)).toBe(-1);
    module.answer('ready', 1);
    expect(module.fn('f')(2)).toBe(42);
    expect(logged).toEqual([2, 2]);
    expect(() => load(sensor, { stubs: { ...stubs, raedy: 'any' } })).toThrow(
      "the module never calls an undefined function 'raedy'; did you mean 'ready'?",
    );
    const wrong = load(sensor, { stubs: { ...stubs, ready: () => 1.5 } });
    expect(() => wrong.fn('f')(2)).toThrow('the answer of ready: 1.5 is not a whole number');
  });

  test('a stub that throws ends the call with its error; one that touches the module is refused', () => {
    const module = load('int ask(void); int n; int f(void) { n++; return ask(); }', {
      stubs: {
        ask: () => {
          throw new RangeError('mine');
        },
      },
    });
    expect(() => module.fn('f')()).toThrow(new RangeError('mine'));
    const ask = 'int ask(void); static int n; int *where(void) { return &n; } int f(void) { n++; return ask(); }';
    const meddling: ModuleInstance = load('int ask(void); static int n; int f(void) { n++; return ask(); }', {
      stubs: {
        ask: () => {
          meddling.global.n = 5;
          return 1;
        },
      },
    });
    expect(() => meddling.fn('f')()).toThrow('global.n is static: a stub cannot reach it');
    const remembering: ModuleInstance = load(ask, {
      stubs: {
        ask: () => {
          pointer.write(7);
          return 1;
        },
      },
    });
    const pointer = remembering.fn('where')() as Pointer;
    expect(() => remembering.fn('f')()).toThrow('the stub ask was not handed this object');
    const resetting: ModuleInstance = load(ask, {
      stubs: {
        ask: () => {
          resetting.reset();
          return 1;
        },
      },
    });
    expect(() => resetting.fn('f')()).toThrow('reset: ask is a stub: it cannot do that while C is running');
  });

  const device = `
    typedef struct { int id; char name[8]; double level; } reading;
    reading sample(int id); void fill(char *buffer, int size); const char *label(reading r);
    int visit(int (*step)(int), int n); int total; int depth;
    int add(int n) { total += n; return total; }
    double use(int id) { char text[16]; reading r = sample(id); fill(text, 16);
      return r.level + text[1] + label(r)[0]; }
    int walk(int n) { depth++; int seen = visit(add, n); depth--; return seen * 1000 + total; }`;
  const deviceStubs = (get: () => ModuleInstance) => ({
    sample: (id: unknown) => ({ id, name: 'dev', level: 0.5 }),
    fill: (buffer: unknown, size: unknown) => {
      (buffer as Pointer).as('char[16]').write('abc'.padEnd(Number(size) - 1, '.'));
    },
    label: (r: unknown) => `${String.fromCharCode(...(r as { name: number[] }).name.slice(0, 3))}!`,
    visit: (_step: unknown, n: unknown) => {
      let seen = 0;
      for (let i = 0; i < Number(n); i++) seen = Number(get().fn('add')(i));
      get().global.total = Number(get().global.total) + 100;
      return seen;
    },
  });

  test('stubs take and give structures and strings, write where they were handed, and call back', () => {
    const module: ModuleInstance = load(device, { stubs: deviceStubs(() => module) });
    expect(module.fn('use')(3)).toBe(0.5 + 98 + 100);
    expect(module.fn('walk')(4)).toBe(6106);
    expect(module.fn('walk')(2)).toBe((6 + 100 + 1) * 1000 + 207);
    const log = JSON.parse(JSON.stringify(module.runs)) as typeof module.runs;
    expect(log.flat().map(callsBack)).toEqual([false, true, true]);
    const never = (): never => {
      throw new Error('the answers come from the log');
    };
    const second = load(device, { stubs: { sample: never, fill: never, label: never, visit: never } });
    const outcomes = [...replay(second, log[0]!)].map(({ outcome }) => outcome);
    expect(outcomes).toEqual([
      { kind: 'returned', value: 198.5 },
      { kind: 'returned', value: 6106 },
      { kind: 'returned', value: 107207 },
    ]);
    expect(second.global.total).toBe(207);
    expect(second.runs.at(-1)).toEqual(module.runs.at(-1));
  });

  test('a stub calls the callback it was given, static as it may be, and the log can be done again', () => {
    const text = `typedef int (*visit)(int key, void *context); int each(visit f, void *context);
  void on(void (*handler)(int)); static int sum;
      static int add(int key, void *context) { return *(int *)context += key; } static void count(int n) { sum += n; }
      int total(void) { int n = 1; each(add, &n); return n; } int events(void) { on(count); return sum; }`;
    let kept: Pointer | undefined;
    const stubs = {
      each: (f: unknown, context: unknown) => (f as Pointer).call((f as Pointer).call(5, context), context),
      on: (handler: unknown) => {
        kept = handler as Pointer;
        kept.call(7);
      },
    };
    const module = load(text, { stubs });
    expect(module.fn('total')()).toBe(12);
    expect(module.fn('events')()).toBe(7);
    // Later, when no C runs, the outside is the client, who has no static functions.
    expect(() => kept!.call(1)).toThrow("'count' is static, so a client cannot call it");
    const again = load(text, { stubs: { each: 'any', on: 'any' } });
    expect([...replay(again, module.runs[0]!)].map(({ outcome }) => outcome.kind)).toEqual(['returned', 'returned']);
    expect(again.runs).toEqual(module.runs);
    expect(again.fn('events')()).toBe(7);
  });

  test('variable arguments come as they were given', () => {
    const given: unknown[][] = [];
    const text =
      'struct point { int x, y; }; int report(const char *format, ...); ' +
      'int f(char c, float x, long long n) { struct point p = { 1, 2 }; ' +
      'return report("%d", c, x, n, p, "text"); } int g(void) { return report("none"); }';
    const module = load(text, {
      stubs: {
        report: (format: unknown, ...rest: unknown[]) => {
          given.push([
            (format as Pointer).string(),
            ...rest.map((value) => (isPointer(value) ? value.string() : value)),
          ]);
          return rest.length;
        },
      },
    });
    expect(module.fn('f')('A', 1.5, 2n ** 40n)).toBe(5);
    expect(module.fn('g')()).toBe(0);
    expect(given).toEqual([['%d', 65, 1.5, 2n ** 40n, { x: 1, y: 2 }, 'text'], ['none']]);
  });

  test("an error in a stub shows the C functions that led to it, in the reader's stack", () => {
    const module = load(
      'int ask(void);\nstatic int inner(void) {\n  return ask();\n}\nint outer(void) {\n  return 1 + inner();\n}',
      {
        stubs: {
          ask: () => {
            throw new Error('mine');
          },
        },
      },
    );
    const stackOf = (body: () => unknown): string[] => {
      try {
        body();
      } catch (error) {
        return (error as Error).stack!.split('\n').filter((line) => /^\s+at /.test(line));
      }
      throw new Error('no error');
    };
    const [stub, first, second, caller] = stackOf(() => module.fn('outer')());
    expect(stub).toContain('module.environment.test.ts');
    expect(first).toMatch(/at inner \(.*m\.c:3:10\)$/);
    expect(second).toMatch(/at outer \(.*m\.c:6:14\)$/);
    expect(caller).toContain('module.environment.test.ts');
    const wrong = load('int ask(void); int f(void) { return ask(); }', { stubs: { ask: () => Promise.resolve(1) } });
    expect(() => wrong.fn('f')()).toThrow('the answer of ask is a Promise, and C cannot wait');
    expect(stackOf(() => wrong.fn('f')())[0]).toMatch(/at f \(.*m\.c:1:37\)$/);
    const nothing = load('struct p { int x; }; struct p where(void); int f(void) { return where().x; }', {
      stubs: { where: () => undefined },
    });
    expect(() => nothing.fn('f')()).toThrow("the answer of where: undefined is not an object; 'struct p' wants { x }");
  });

  test('a fault in C that a stub called is the fault of the whole call', () => {
    const module: ModuleInstance = load(
      'int ask(int *p); int deref(int *p) { return *p; } int f(void) { int x = 1; return ask(&x); }',
      { stubs: { ask: () => module.fn('deref')(null) } },
    );
    expect(() => module.fn('f')()).toThrow('null pointer dereference');
    expect(module.fn('deref')([5])).toBe(5);
  });

  test('files, input and variables are what the test gives; output is there to be read', () => {
    const text = `
      #include <stdio.h>
      #include <stdlib.h>
      int copy(void) { FILE *in = fopen("in.txt", "r"), *out = fopen("out.txt", "w"); int c, n = 0; if (!in) return -1;
        while ((c = getc(in)) != EOF) { putc(c, out); n++; } fclose(in); fclose(out); return n; }
      int ask(void) { int x = 0; int got = scanf("%d", &x); printf("got %d\\n", got);
        fprintf(stderr, "%s", getenv("WHO") ? getenv("WHO") : "nobody"); return x; }`;
    const module = load(text, {
      environment: { files: { 'in.txt': 'some text' }, stdin: '41 42', variables: { WHO: 'me' } },
    });
    expect([module.fn('copy')(), module.file('out.txt'), module.file('none')]).toEqual([9, 'some text', undefined]);
    expect([module.fn('ask')(), module.fn('ask')(), module.fn('ask')()]).toEqual([41, 42, 0]);
    expect(module.printed).toEqual({ stdout: 'got 1\ngot 1\ngot -1\n', stderr: 'mememe' });
    module.reset();
    expect([module.file('out.txt'), module.fn('ask')(), module.printed.stdout]).toEqual([undefined, 41, 'got 1\n']);
    expect([load(text).fn('copy')(), load(text).fn('ask')()]).toEqual([-1, 0]);
  });

  test('allocation can be made to fail', () => {
    const module = load(
      '#include <stdlib.h>\nint f(void) { int *p = malloc(4); if (!p) return 0; free(p); return 1; }',
      { mallocMayFail: true },
    );
    expect(module.fn('f')()).toBe(1);
    module.answer('malloc', null);
    expect(module.fn('f')()).toBe(0);
    expect(module.fn('f')()).toBe(1);
  });
});
