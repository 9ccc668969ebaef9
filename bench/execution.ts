/**
 * How fast C runs here, side by side with compilers, and how fast it is read.
 *
 *   node scripts/run-ts.js bench/execution.ts [program,program... | none] [execution]
 *
 * `none` leaves out how fast C runs, `execution` how fast it is read.
 *
 * The programs of `bench/execution` run natively (gcc -O0, gcc -O2, tcc) and on the machine with all checks on: freshly
 * started (compilation to WebAssembly included), again on another machine, with loop heads counted, with every loop
 * head and every cutpoint recorded, and on the reference machine with a hundredth of the work; and on C interpreters in
 * JavaScript, with still less. What did little is scaled by the steps that our machine takes. Times are of the
 * processor, of all threads, because the clock tells little on a busy machine. Tools that are not installed are left
 * out, loudly.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installedPeers, onPeer, peers } from './execution/peers';
import { defaultPredicates, predicateLevels } from '../src/abstraction/predicates/defaultPredicates';
import { Recorder } from '../src/abstraction/predicates/recorder';
import { PredicateAbstraction } from '../src/abstraction/predicates/predicateAbstraction';
import { noInvariants } from '../src/abstraction/transitionSystem/invariantMap';
import { plainOptions, TransitionSystem } from '../src/abstraction/transitionSystem/transitionSystem';
import { loadProgram, type Location, type Program } from '../src/program';
import { defaultProperties } from '../src/program/command';
import { Machine, type MachineOptions, type Observer } from '../src/semantics';

/** How much each program does; gcc -O0 takes about a tenth of a second for it. */
const sizes: Readonly<Record<string, number>> = {
  nested: 10_000,
  sieve: 200,
  recursion: 37,
  xorshift: 100_000_000,
  list: 10_000,
  tree: 1_000_000,
  strings: 200_000,
  matrix: 60,
  tokenizer: 200_000,
  structures: 60_000,
  hashmap: 1_500_000,
  builder: 150_000,
  parser: 250_000,
  vectors: 7_000_000,
  splitter: 400_000,
  base64: 100_000,
  trie: 10_000,
  lines: 300_000,
  scanner: 200_000,
  csv: 2_000_000,
  intern: 250_000,
  listsort: 6_000,
  uart: 1_400_000,
};
/** For interpreters in JavaScript, which are thousands of times slower. */
const littleWork: Readonly<Record<string, number>> = {
  nested: 3,
  sieve: 1,
  recursion: 10,
  xorshift: 10_000,
  list: 1,
  tree: 100,
  strings: 20,
  matrix: 1,
  tokenizer: 5,
  structures: 5,
  hashmap: 100,
  builder: 5,
  parser: 5,
  vectors: 100,
  splitter: 5,
  base64: 2,
  trie: 1,
  lines: 5,
  scanner: 5,
  csv: 20,
  intern: 2,
  listsort: 1,
  uart: 20,
};
const natives = [['gcc', '-O0'], ['gcc', '-O2'], ['tcc']] as const;

const processor = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

function onCompiler(
  command: readonly string[],
  name: string,
  path: string,
  folder: string,
): { readonly milliseconds: number; readonly output: string } | undefined {
  const binary = join(folder, `${name}-${command.join('')}`);
  const [compiler, ...flags] = command;
  const { status } = spawnSync(compiler!, [...flags, '-w', `-DSIZE=${sizes[name]}`, '-o', binary, path], {
    stdio: 'ignore',
  });
  if (status !== 0) return undefined;
  const runs = [1, 2].map(() =>
    spawnSync('bash', ['-c', 'TIMEFORMAT="%U %S"; time "$0"', binary], { encoding: 'utf8' }),
  );
  const seconds = runs.map(({ stderr }) =>
    stderr
      .trim()
      .split(' ')
      .reduce((sum, part) => sum + Number(part), 0),
  );
  return { milliseconds: 1000 * Math.min(...seconds), output: runs[0]!.stdout };
}

function onMachine(
  program: Program,
  options: MachineOptions,
  observer?: (machine: Machine) => Observer,
): { readonly milliseconds: number; readonly output: string; readonly steps: number } {
  let output = '';
  const machine = new Machine(program, {
    stepLimit: Infinity,
    ...options,
    output: (text) => {
      output += text;
    },
  });
  machine.observer = observer?.(machine);
  const before = processor();
  const outcome = machine.call(program.functionByName.get('main')!, []);
  if (outcome.kind !== 'returned') throw new Error(`a program of the benchmark ended with ${outcome.kind}`);
  return { milliseconds: processor() - before, output, steps: machine.steps };
}

/** Counts all arrivals at loop heads, and is told the state at the first, second, fourth, eighth and so on of each. */
function sampler(program: Program): Observer {
  const arrivals = new Map<Location, number>();
  return {
    locations: new Set(program.functions.flatMap((fn) => fn.locations.filter(({ isLoopHead }) => isLoopHead))),
    visit: (location) => {
      arrivals.set(location, (arrivals.get(location) ?? 0) + 1);
    },
    skip: (location) => {
      const count = arrivals.get(location)!;
      arrivals.set(location, 2 * count - 1);
      return count - 1;
    },
  };
}

/**
 * Records every arrival at every loop head, or at every cutpoint (entries, exits, before and after calls, too), as the
 * tests of a module are recorded when it is verified: at each arrival the truth of each default predicate of the place
 * is computed, and each combination that is new is kept, with an example.
 */
function recording(program: Program): {
  readonly observer: (machine: Machine, where: 'loop heads' | 'cutpoints') => Observer;
  readonly states: () => number;
} {
  const main = program.functionByName.get('main')!;
  const checkedProperties = new Set(defaultProperties);
  const system = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'program',
    entries: [main],
    checkedProperties,
  });
  const predicates = defaultPredicates(system, new Map(), predicateLevels[0]!);
  const heads = new Set(system.points.filter(({ location }) => location.isLoopHead).map(({ location }) => location));
  let abstraction = new PredicateAbstraction(system, noInvariants, () => []);
  return {
    observer: (machine, where) => {
      abstraction = new PredicateAbstraction(system, noInvariants, (point) => predicates.get(point) ?? []);
      const recorder = new Recorder(abstraction, machine, () => {});
      return where === 'cutpoints' ? recorder.observer() : recorder.observer(heads);
    },
    states: () =>
      abstraction.points.reduce((sum, one) => sum + (one.point.location.isLoopHead ? one.all().length : 0), 0),
  };
}

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.ceil((sorted.length - 1) / 2)]!) / 2;
};

function compareExecution(names: readonly string[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'provest-bench-'));
  console.log(
    '| program | gcc -O0 ms | gcc -O2 | tcc | first run | again | loop heads counted | every loop head recorded ' +
      '| (abstract states) | every cutpoint recorded | reference | JSCPP | picoc-js | steps ' +
      '|\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|',
  );
  const ratios: Record<'first' | 'again' | 'watched' | 'heads' | 'cutpoints' | 'reference', number[]> = {
    first: [],
    again: [],
    watched: [],
    heads: [],
    cutpoints: [],
    reference: [],
  };
  const missing = new Set<string>();
  const interpreters = installedPeers();
  const failures: string[] = [];
  for (const name of names) {
    const path = join(__dirname, 'execution', `${name}.c`);
    const [slow, fast, tcc] = natives.map((command) => {
      const result = onCompiler(command, name, path, folder);
      if (!result) missing.add(command.join(' '));
      return result;
    });
    const load = (size: number) => loadProgram([path], { define: { SIZE: size } });
    const program = load(sizes[name]!);
    const first = onMachine(program, {});
    const again = onMachine(program, {});
    const watched = onMachine(program, {}, () => sampler(program));
    const record = recording(program);
    const heads = onMachine(program, {}, (machine) => record.observer(machine, 'loop heads'));
    const states = record.states();
    const cutpoints = onMachine(program, {}, (machine) => record.observer(machine, 'cutpoints'));
    const part = name === 'recursion' ? 25 : Math.ceil(sizes[name]! / 100);
    const little = onMachine(load(part), { execution: 'reference' });
    const reference = (little.milliseconds / little.steps) * first.steps;
    if (!slow) continue;
    const ofPeers = peers.map((peer) => {
      if (!interpreters) return '-';
      const small = onMachine(load(littleWork[name]!), {});
      const run = onPeer(interpreters, peer, path, littleWork[name]!);
      const failure =
        'failure' in run
          ? run.failure
          : run.output.trim() === small.output.trim()
            ? undefined
            : 'prints something else';
      if (failure !== undefined) failures.push(`${peer[0]} does not run ${name}: ${failure}`);
      return 'failure' in run || failure !== undefined
        ? 'no'
        : (((run.milliseconds / small.steps) * first.steps) / slow.milliseconds).toFixed(0);
    });
    for (const { output } of [first, again, watched, heads, cutpoints])
      if (output !== slow.output) throw new Error(`${name} printed ${output} instead of ${slow.output}`);
    const ratio = (milliseconds: number, into?: number[]) => {
      into?.push(milliseconds / slow.milliseconds);
      return (milliseconds / slow.milliseconds).toFixed(milliseconds < 10 * slow.milliseconds ? 2 : 0);
    };
    console.log(
      `| ${name} | ${slow.milliseconds.toFixed(0)} | ${fast ? ratio(fast.milliseconds) : '-'} | ` +
        `${tcc ? ratio(tcc.milliseconds) : '-'} | ${ratio(first.milliseconds, ratios.first)} | ` +
        `${ratio(again.milliseconds, ratios.again)} | ${ratio(watched.milliseconds, ratios.watched)} | ` +
        `${ratio(heads.milliseconds, ratios.heads)} | ${states} | ` +
        `${ratio(cutpoints.milliseconds, ratios.cutpoints)} | ${ratio(reference, ratios.reference)} | ` +
        `${ofPeers.join(' | ')} | ${(first.steps / 1e6).toFixed(0)} M |`,
    );
  }
  console.log(
    '| median | | | | ' +
      [ratios.first, ratios.again, ratios.watched, ratios.heads]
        .map((values) => median(values).toFixed(2))
        .join(' | ') +
      ` | | ${median(ratios.cutpoints).toFixed(2)} | ${median(ratios.reference).toFixed(0)} | | | |`,
  );
  for (const failure of failures) console.log(`\n- ${failure}`);
  if (!interpreters)
    console.log(`\n!! ${peers.map(([name]) => name).join(' and ')} could not be installed: NOT compared`);
  for (const command of missing) console.log(`\n!! ${command} is not installed: NOT compared`);
  rmSync(folder, { recursive: true });
}

/** A file of about so many lines: functions over arrays, structures and pointers that call each other. */
function generated(lines: number): string {
  const parts = [
    '#include <stdlib.h>',
    '#include <string.h>',
    'struct item { int key; unsigned char name[12]; struct item *next; };',
  ];
  for (let i = 0; parts.length < lines; i++) {
    parts.push(
      `static int table${i}[${8 + (i % 9)}];`,
      `static int step${i}(struct item *list, int n) {`,
      '  int sum = 0;',
      `  for (struct item *p = list; p; p = p->next) {`,
      `    if (p->key < n && p->name[n & 7] != ${i & 127}) sum += p->key;`,
      `    else if (p->key == ${i}) return -1;`,
      '  }',
      `  for (int j = 0; j < ${8 + (i % 9)}; j++) table${i}[j] = (table${i}[j] << 1 ^ n) & 0xffff;`,
      '  switch (n % 4) {',
      '  case 0: sum++; break;',
      '  case 1: sum -= 2; break;',
      `  default: sum += table${i}[n & 7];`,
      '  }',
      i === 0 ? '  return sum;' : `  return sum > 1000 ? sum : sum + step${i - 1}(list, n - 1);`,
      '}',
      `int entry${i}(const char *text) {`,
      '  struct item one = { (int)strlen(text), "", NULL };',
      `  memcpy(one.name, text, strlen(text) < 12 ? strlen(text) : 12);`,
      `  return step${i}(&one, one.key);`,
      '}',
    );
  }
  return `${parts.join('\n')}\n`;
}

const small = `#include <assert.h>
static int elements[8];
static int size;
int full(void) { return size == 8; }
int empty(void) { return size == 0; }
void push(int value) {
  assert(!full());
  elements[size] = value;
  size++;
}
int pop(void) {
  assert(!empty());
  size--;
  return elements[size];
}
int top(void) {
  int result = pop();
  push(result);
  return result;
}
`;

function measureReading(): void {
  const folder = mkdtempSync(join(tmpdir(), 'provest-bench-'));
  console.log('\n| file | lines | first ms | warm ms (least) | (median) |\n|---|---|---|---|---|');
  for (const [name, text, rounds] of [
    ['generated', generated(5000), 12],
    ['stack of 20 lines', small, 60],
  ] as const) {
    const path = join(folder, 'file.c');
    writeFileSync(path, text);
    const times = Array.from({ length: rounds }, () => {
      const before = processor();
      new Machine(loadProgram([path], { externals: 'error' }));
      return processor() - before;
    });
    const warm = times.slice(Math.floor(rounds / 2));
    console.log(
      `| ${name} | ${text.split('\n').length - 1} | ${times[0]!.toFixed(0)} | ${Math.min(...warm).toFixed(1)} | ` +
        `${median(warm).toFixed(1)} |`,
    );
  }
  rmSync(folder, { recursive: true });
}

const chosen = process.argv[2]?.split(',') ?? Object.keys(sizes);
if (process.argv[3] !== 'execution') measureReading();
compareExecution(chosen.filter((name) => name !== 'none'));
