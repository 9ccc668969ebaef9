/**
 * Law: compiled code and the reference machine do the same. Not only results: faults with message, place and stack,
 * steps, contents of memory and how it came to be, at the end and wherever a limit of steps stops; from the beginning
 * of a call and from the middle of one.
 */
import fc from 'fast-check';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadProgram, type Location, type Program } from '../../src/program';
import { cutpointsOf } from '../../src/program/automata/cutpoints';
import type { Scalar } from '../../src/program/expression';
import {
  type Machine,
  objectNumber,
  pointerTo,
  wrapInteger,
  zero,
  type Activation,
  type ConcreteValue,
  type MachineOptions,
  type RunOutcome,
  type Snapshot,
} from '../../src/semantics';
import { compare, firstDifference, seenOf } from '../differential/compiledAndReference';
import { file } from '../engines/task';
import { isLong } from '../long';
import { functionText, parameters, word } from './randomFunction';

const load = (text: string, dataModel: 'lp64' | 'ilp32' = 'lp64'): Program =>
  loadProgram([file(text)], { externals: 'any', dataModel });
const runs = Number(process.env.PROVEST_RUNS ?? (isLong ? 100 : 50));

function check(program: Program, name: string, args: readonly ConcreteValue[], options: MachineOptions = {}): void {
  const fn = program.functionByName.get(name)!;
  expect(compare(program, (machine) => machine.call(fn, args), options)).toBeUndefined();
}

test('random functions, and the same when their arithmetic is not checked', () => {
  fc.assert(
    fc.property(
      functionText,
      fc.array(word, { minLength: parameters.length, maxLength: parameters.length }),
      fc.constantFrom('lp64' as const, 'ilp32' as const),
      (text, words, model) => {
        const program = load(text, model);
        const args = program.functionByName.get('f')!.parameters.map(({ type, ctype }, i) => {
          if (type.kind !== 'integer') throw new Error('integers only');
          return wrapInteger(ctype?.kind === 'integer' && ctype.name === 'bool' ? words[i]! & 1n : words[i]!, type);
        });
        check(program, 'f', args);
        check(program, 'f', args, { properties: new Set(['memsafety']) });
      },
    ),
    { numRuns: runs },
  );
});

test('thousands of calls in a row are run, if only by the reference machine', () => {
  const program = load(
    'int sum; static void add(int n) { sum += n; } ' +
      `int f(int n) { ${Array.from({ length: 3000 }, (_, i) => `add(${i});`).join(' ')} return sum + n; }`,
    'lp64',
  );
  check(program, 'f', [1]);
});

const programs = readFileSync(join(__dirname, 'compiledPrograms.c'), 'utf8');
const names = [...programs.matchAll(/^\w[\w *]*\b(run_\w+)\(int n\)/gm)].map((match) => match[1]!);

describe.each(['lp64', 'ilp32'] as const)('%s', (model) => {
  const program = load(programs, model);
  test.each(names)('%s', (name) => {
    for (const n of [0, 1, 3, 17]) check(program, name, [n]);
    check(program, name, [5], { properties: new Set() });
  });

  test('limits of steps, depth and memory are met at the same place', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.integer({ min: 0, max: 12 }),
        fc.integer({ min: 1, max: 600 }),
        (name, n, stepLimit) => check(program, name, [n], { stepLimit }),
      ),
      { numRuns: 3 * runs },
    );
    for (const depthLimit of [1, 2, 3, 20]) check(program, 'run_recursion', [12], { depthLimit });
    for (const memoryLimitBytes of [2000, 2100, 2500, 5000]) check(program, 'run_list', [30], { memoryLimitBytes });
    check(program, 'run_deep', [9000]);
    check(program, 'run_deep', [9000], { depthLimit: 5000 });
  });

  test('control can be put at every cutpoint that a run passes', () => {
    for (const name of names) {
      for (const [place, depth, stepLimit] of [
        [0, 'all', 1e5],
        [3, 'function', 1e5],
        [9, 'all', 1e5],
        [16, 'all', 9],
        [33, 'function', 1e5],
        [50, 'all', 70],
      ] as const) {
        const difference = compare(program, (machine) => {
          const { activations, snapshot } = stateOf(machine, program, name, place);
          machine.restore(snapshot);
          return machine.runFrom(activations, { depth, stepLimit });
        });
        expect([name, place, difference]).toEqual([name, place, undefined]);
      }
    }
  });
});

/**
 * The stack of activations and the memory at one of the visits of loop heads, entries and exits, or at the last one.
 */
function stateOf(
  machine: Machine,
  program: Program,
  name: string,
  place: number,
): { readonly activations: readonly Activation[]; readonly snapshot: Snapshot } {
  let state: { activations: readonly Activation[]; snapshot: Snapshot } | undefined;
  let visits = 0;
  machine.observer = {
    locations: new Set(
      program.functions.flatMap((fn) =>
        fn.locations.filter((location) => location.isLoopHead || location === fn.entry || location === fn.exit),
      ),
    ),
    visit: (at) => {
      if (visits++ > place) return;
      const activations = machine.activations.map(({ fn, location, locals, objects }, i, all) => ({
        fn,
        location: i === all.length - 1 ? at : location,
        locals: locals.slice(),
        objects: objects.slice(),
      }));
      state = { activations, snapshot: machine.snapshot() };
    },
  };
  machine.call(program.functionByName.get(name)!, [4]);
  machine.observer = undefined;
  return state!;
}

test('who watches sees the same visits, all of them or those asked for, wherever they watch', () => {
  const program = load(programs);
  const all = program.functions.flatMap((fn) => fn.locations);
  const digest = (machine: Machine, location: Location, { fn, locals, objects }: Activation): string => {
    const memory = [...machine.memory.liveBlocks()]
      .map(({ number, bytes }) => `${number}:${Buffer.from(bytes).toString('base64')}`)
      .join(' ');
    return [
      fn.name,
      location.index,
      locals.join(),
      objects.join(),
      machine.activations.length,
      machine.steps,
      machine.globals.join(),
      memory,
    ].join(' | ');
  };
  fc.assert(
    fc.property(
      fc.constantFrom(...names),
      fc.integer({ min: 0, max: 9 }),
      fc.constantFrom(1, 3, 17, 101),
      fc.integer({ min: 0, max: 9 }),
      fc.boolean(),
      (name, n, every, skip, heads) => {
        const locations = new Set(all.filter((location, i) => (heads ? location.isLoopHead : i % every === 0)));
        const difference = compare(program, (machine) => {
          const seen: string[] = [];
          machine.observer = {
            locations,
            visit: (location, activation) => {
              if (seen.length < 400) seen.push(digest(machine, location, activation));
            },
            skip: (location) => (location.index % 2 === 0 ? skip : 0),
          };
          const outcome = machine.call(program.functionByName.get(name)!, [n]);
          return { kind: 'returned', value: `${JSON.stringify(outcome.kind)} ${seen.join('; ')}` as unknown as number };
        });
        expect(difference).toBeUndefined();
      },
    ),
    { numRuns: 2 * runs },
  );
});

test('a fabricated state with objects of unexpected types runs as in the reference machine', () => {
  const program = load(
    'int f(int n) { int a[4] = {0}; for (int i = 0; i < n; i++) a[i & 3] += i; return a[0] + a[3]; }',
  );
  const fn = program.functionByName.get('f')!;
  const head = fn.locations.find(({ isLoopHead }) => isLoopHead)!;
  for (const sizeBytes of [0, 4, 16, 64]) {
    for (const live of [true, false]) {
      const difference = compare(program, (machine) => {
        machine.memory.place(7, { kind: 'automatic', sizeBytes, contents: 'zero', live });
        const locals = fn.variables.map(({ type, name }) => (name === 'n' ? 20 : name === 'i' ? -1 : zero(type)));
        return machine.runFrom([{ fn, location: head, locals, objects: [7 * 2 ** 32] }], { depth: 'all' });
      });
      expect(difference).toBeUndefined();
    }
  }
});

test('a pointer may lead to an object of a fabricated frame, though its function makes no such pointer', () => {
  const program = load(`
    int in_block(int n, int *p) { int s = 0; for (int i = 0; i < n; i++) { if (i < 3) s += *p;
      { int x[2]; x[i & 1] = i; s += x[i & 1]; if (i == 0) s += *p; } s += *p; } return s; }
    int each_round(int n, int *p) { int s = 0; for (int i = 0; i < n; i++) { int x[2] = {1, 2};
      while (s < n) { s += x[s & 1]; s += *p; } s += *p; } return s; }`);
  for (const fn of program.functions) {
    for (const location of fn.locations) {
      for (const offsetBytes of [0, 4]) {
        const difference = compare(program, (machine) => {
          const objects = fn.objects.map(({ sizeBytes }) =>
            machine.memory.make({ kind: 'automatic', sizeBytes, contents: 'zero' }),
          );
          const locals = fn.variables.map(({ type, name }) =>
            name === 'n' ? 6 : type.kind === 'pointer' ? pointerTo(objectNumber(objects[0]!), offsetBytes) : zero(type),
          );
          return machine.runFrom([{ fn, location, locals, objects }], { depth: 'all', stepLimit: 500 });
        });
        expect([fn.name, location.index, offsetBytes, difference]).toEqual([
          fn.name,
          location.index,
          offsetBytes,
          undefined,
        ]);
      }
    }
  }
});

describe.each(['lp64', 'ilp32'] as const)('%s', (model) => {
  test('from any state put together at any cutpoint, reachable or not', () => {
    const program = load(programs, model);
    const places = program.functions
      .filter(({ locations }) => locations.length > 1)
      .flatMap((fn) => [...cutpointsOf(fn)].map((location) => ({ fn, location })));
    const small = fc.oneof(fc.bigInt({ min: -3n, max: 20n }), word);
    let compiledSteps = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(...places),
        fc.array(small, { minLength: 40, maxLength: 40 }),
        fc.array(fc.constantFrom('own', 'own', 'own', 'none', 'dead', 'short'), { minLength: 8, maxLength: 8 }),
        fc.constantFrom('all' as const, 'function' as const),
        fc.constantFrom(7, 400, 3000),
        ({ fn, location }, words, lives, depth, stepLimit) => {
          const fabricated = (machine: Machine): RunOutcome => {
            const objects = fn.objects.map(({ sizeBytes }, slot) => {
              const life = lives[slot % lives.length]!;
              if (life === 'none') return 0;
              return machine.memory.make({
                kind: 'automatic',
                sizeBytes: life === 'short' ? Math.max(0, sizeBytes - 3) : sizeBytes,
                contents: slot % 2 === 0 ? 'zero' : 'indeterminate',
                live: life !== 'dead',
              });
            });
            // Pointers lead to static objects, automatic ones of the frame, blocks made up here, dead ones, nowhere, or
            // just outside.
            const made = [4, 16, 64].map((sizeBytes, i) =>
              machine.memory.make({
                kind: 'heap',
                sizeBytes,
                contents: i === 1 ? 'indeterminate' : 'zero',
                live: i !== 0 || words[0]! > 0n,
              }),
            );
            const targets = [
              0,
              ...made,
              ...objects,
              ...program.objects.map(({ number }) => pointerTo(number)),
              ...program.functions.map(({ number }) => pointerTo(number)),
            ];
            const value = (type: Scalar, n: bigint): ConcreteValue => {
              switch (type.kind) {
                case 'integer':
                  return wrapInteger(n, type);
                case 'float':
                  return type.widthBits === 32 ? Math.fround(Number(n) / 4) : Number(n) / 4;
                case 'pointer': {
                  const to = targets[Number(BigInt.asUintN(16, n)) % targets.length]!;
                  return pointerTo(objectNumber(to), Number(BigInt.asIntN(4, n)));
                }
              }
            };
            const locals = fn.variables.map(({ type }, slot) => value(type, words[slot % words.length]!));
            machine.globals.forEach((_, slot) => {
              machine.globals[slot] = value(program.globals[slot]!.variable.type, words[(slot + 11) % words.length]!);
            });
            return machine.runFrom([{ fn, location, locals, objects }], { depth, stepLimit });
          };
          const reference = seenOf(program, 'reference', fabricated);
          const compiled = seenOf(program, 'compiled', fabricated);
          compiledSteps += compiled.compiledSteps;
          expect([fn.name, location.index, firstDifference(reference, compiled)]).toEqual([
            fn.name,
            location.index,
            undefined,
          ]);
        },
      ),
      { numRuns: 8 * runs },
    );
    expect(compiledSteps).toBeGreaterThan(10 * runs);
  });
});

test('fixtures with a main: every twelfth, all in the long form', () => {
  const folder = join(__dirname, '..', '..', 'fixtures', 'programs');
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.c'))
    .sort()
    .filter((_, i) => isLong || i % 12 === 0);
  let compared = 0;
  for (const name of paths) {
    const program = loadProgram([join(folder, name)], { externals: 'any', idioms: true });
    const main = program.functionByName.get('main');
    if (main?.parameters.length !== 0) continue;
    for (const seed of [1, 2])
      expect([name, compare(program, (machine) => machine.call(main, []), { seed, stepLimit: 20_000 })]).toEqual([
        name,
        undefined,
      ]);
    compared++;
  }
  expect(compared).toBeGreaterThan(25);
});

test('most of the compared code is compiled', () => {
  const program = load(programs);
  const seen = names.map((name) => ({
    name,
    ...seenOf(program, 'compiled', (machine) => machine.call(program.functionByName.get(name)!, [7])),
  }));
  expect(seen.filter(({ steps, compiledSteps }) => compiledSteps < steps / 2).map(({ name }) => name)).toEqual([
    'run_irreducible',
  ]);
});

describe('objects that compiled code makes and ends', () => {
  const text = `
    #include <stdlib.h>
    #include <string.h>
    struct node { int value; char name[90]; struct node *next; };
    static int *last;
    static int into(int *a, char *b) { *a += b[2]; last = a; return *a; }
    int many(int n) {
      struct node *kept = NULL;
      int sum = 0;
      for (int i = 0; i < n; i++) {
        int a = i & 15;
        char b[7] = "abcde";
        char large[150 + 8];
        memset(large, i, sizeof large);
        sum = (sum + into(&a, b) + large[9]) & 0xffff;
        struct node *one = i % 3 ? malloc(sizeof *one) : calloc(1, sizeof *one + (unsigned)i % 50);
        if (!one) return -1;
        one->value = a;
        if (i % 64 == 5) {
          one->next = kept;
          kept = one;
        } else {
          free(one);
        }
        if (i % 5000 == 4999 && kept) {
          struct node *next = kept->next;
          free(kept);
          kept = next;
        }
      }
      int count = 0;
      for (struct node *p = kept; p; p = p->next) count += p->value;
      return count + sum;
    }
    int unwritten(int n) {
      unsigned char c[5000], d[40];
      unsigned sum = 0;
      for (int i = 0; i < n; i++) sum = sum * 31u + c[(i * 37) % 5000] + d[i % 40];
      return (int)(sum & 0x7fff);
    }
    int more(int n) {
      int sum = 0;
      for (int i = 0; i < n; i++) sum = (sum + unwritten(i & 3)) & 0xffff;
      return sum;
    }`;
  const small = load(text, 'ilp32');
  const call = (machine: Machine, name: string, n: number) => machine.call(small.functionByName.get(name)!, [n]);

  test('get numbers of dead ones in the order of death, when 30,000 are dead', () => {
    const ends: unknown[] = [];
    const difference = compare(small, (machine) => {
      const outcome = call(machine, 'many', 17_000);
      ends.push([outcome.kind, machine.memory.nextNumber > 30_000, machine.memory.nextNumber < 32_500]);
      return outcome;
    });
    const end = ['returned', true, true];
    expect([difference, ends]).toEqual([undefined, [end, end]]);
  });

  test('end with the state before them when a snapshot is restored, and go on from it', () => {
    expect(
      compare(small, (machine) => {
        call(machine, 'many', 200);
        const snapshot = machine.snapshot();
        call(machine, 'many', 300);
        machine.restore(snapshot);
        call(machine, 'many', 250);
        machine.snapshot();
        return call(machine, 'many', 150);
      }),
    ).toBeUndefined();
  });

  test('are reported to observers, with names and locations', () => {
    expect(
      compare(small, (machine) => {
        const seen: string[] = [];
        machine.observer = {
          locations: new Set(small.functionByName.get('into')!.locations.slice(1, 2)),
          visit: () => {
            for (const { number, name, madeAt, bytes } of machine.memory.liveBlocks())
              if (seen.length < 3000)
                seen.push(`${number} ${name} ${madeAt?.start} ${Buffer.from(bytes).toString('hex')}`);
          },
        };
        call(machine, 'many', 40);
        return { kind: 'returned', value: seen.join() as unknown as number };
      }),
    ).toBeUndefined();
  });

  test('hold the same bytes as on the reference machine, where nothing was written', () => {
    const properties = new Set(['memsafety'] as const);
    for (const seed of [1, 2])
      for (const n of [1, 60, 300])
        expect(compare(small, (machine) => call(machine, 'more', n), { seed, properties })).toBeUndefined();
  });

  test('are too many or too large at the same step', () => {
    for (const memoryLimitBytes of [300, 5000, 5400, 20_000])
      for (const name of ['many', 'more'])
        expect(compare(small, (machine) => call(machine, name, 900), { memoryLimitBytes })).toBeUndefined();
  });
});

test('small structures are copied with their written bytes; places stay known over harmless calls only', () => {
  const program = load(`
    #include <stdlib.h>
    struct part { int a; char b[5]; short c; };
    static struct part kept, *heap;
    static int *shared;
    static int look(const int *p) { return *p & 7; }
    static void let(int n) { if (n == 2) { free(shared); shared = NULL; } }
    static struct part made(int a) { struct part p; p.a = a; p.b[1] = (char)a; return p; }
    static int first(struct part p) { return p.a; }
    int copies(int n) {
      int sum = 0;
      heap = calloc(2, sizeof *heap);
      if (!heap) return -1;
      for (int i = 0; i < 5; i++) {
        struct part *p = &kept;
        sum += p->a + p->c;
        *p = made(i);
        heap[i & 1] = *p;
        *p = *p;
        sum += first(heap[i & 1]) + p->a + heap[i & 1].b[1];
        if (i + n == 9) sum += p->b[3];
        if (i + n == 10) sum += heap[0].c;
        p->c = 1;
      }
      free(heap);
      return sum;
    }
    int dangles(int n) {
      int sum = 0;
      shared = malloc(sizeof *shared);
      if (!shared) return -1;
      int *p = shared;
      *p = 3;
      for (int i = 0; i < 4; i++) {
        sum += *p + look(p);
        if (n > 4) let(i);
        sum += *p + look(&i);
      }
      free(shared);
      return sum;
    }`);
  const kinds = new Set<string>();
  for (const name of ['copies', 'dangles'])
    for (let n = 0; n < 10; n++) {
      check(program, name, [n]);
      check(program, name, [n], { properties: new Set(['memsafety']) });
      const { outcome } = seenOf(program, 'compiled', (machine) =>
        machine.call(program.functionByName.get(name)!, [n]),
      );
      kinds.add((outcome as RunOutcome).kind);
    }
  expect([...kinds].sort()).toEqual(['fault', 'returned']);
});

test('what throws in the middle throws through, with the machine in the same state', () => {
  const program = load(
    'int nondet(void); int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += nondet(); return s; }',
  );
  let asked = 0;
  const difference = compare(
    program,
    (machine) => {
      asked = 0;
      expect(() => machine.call(program.functionByName.get('f')!, [10])).toThrow('enough');
      return { kind: 'returned', value: asked };
    },
    {
      input: () => {
        if (++asked > 5) throw new Error('enough');
        return 3;
      },
    },
  );
  expect(difference).toBeUndefined();
});
