#!/usr/bin/env node
/**
 * Where the time of a proof goes: the bounded stack's Jest run as a whole, and the phases of the same proof in one
 * process; the same programs with Z3 in WebAssembly and, where there is one, a native Z3, in turn; and how many
 * questions never reach the solver. Usage: npm run build && [NATIVE_Z3=path] node bench/where-time-goes.js [questions]
 */
'use strict';
const { spawnSync } = require('node:child_process');
const { readFileSync } = require('node:fs');
const path = require('node:path');
const root = path.join(__dirname, '..');

const time = (args) => {
  const start = performance.now();
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'ignore' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`);
  return (performance.now() - start) / 1000;
};
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const repeat = (run) => median([run(), run(), run()]);

const programs = [
  ['loops/counter_any_bound', 'program'],
  ['loops/linear_relation', 'program'],
  ['arrays/copy', 'program'],
  ['arrays/find_max', 'program'],
  ['heap/doubly_linked', 'program'],
  ['recursion/even_odd', 'program'],
  ['firmware/debounce', 'module'],
  ['module/cursor_and_argument', 'module'],
  ['init/buffer_of_a_module', 'module'],
  ['init/filled_in_a_loop', 'program'],
];

function fileOf(id) {
  return path.join(root, 'fixtures/programs', `${id}.c`);
}

const propertiesOf = (id) => /property=([\w,-]+)/.exec(readFileSync(fileOf(id), 'utf8'))[1];

/** The whole command with either solver, in turn. */
function solvers() {
  const native = process.env.NATIVE_Z3 ?? 'z3';
  if (spawnSync(native, ['--version'], { stdio: 'ignore' }).status !== 0)
    return console.log('No native Z3: set NATIVE_Z3 to the path of one.');
  const cli = path.join(root, 'dist/src/cli/main.js');
  const run = (id, z3) => {
    const start = performance.now();
    const { stdout } = spawnSync(
      process.execPath,
      [cli, 'verify', fileOf(id), '--no-cache', '--no-race', '--json', '--property', propertiesOf(id)],
      { encoding: 'utf8', env: { ...process.env, PROVEST_Z3: z3 } },
    );
    return { kind: JSON.parse(stdout).verdict, seconds: (performance.now() - start) / 1000 };
  };
  console.log('| program | WebAssembly s | native s | WebAssembly : native | verdict |');
  console.log('|---|---|---|---|---|');
  const ratios = programs.map(([id]) => {
    const pairs = [0, 1, 2].map(() => [run(id, 'wasm'), run(id, native)]);
    const [wasm, own] = [0, 1].map((i) => median(pairs.map((pair) => pair[i].seconds)));
    const kinds = [...new Set(pairs.flat().map(({ kind }) => kind))];
    console.log(
      `| ${id} | ${wasm.toFixed(2)} | ${own.toFixed(2)} | ${(wasm / own).toFixed(2)} | ${kinds.join(', ')} |`,
    );
    return wasm / own;
  });
  console.log(`| median | | | ${median(ratios).toFixed(2)} | |`);
}

/** What engines ask, what of it simplification answers, and what had been asked before. */
async function questions() {
  const { verify } = require(path.join(root, 'dist/src'));
  const { withBothEncodings, createSolver, withRewriting } = require(path.join(root, 'dist/src/solver'));
  const { floatsDefined } = require(path.join(root, 'dist/src/logic/floats/floats'));
  const { multipliedOut } = require(path.join(root, 'dist/src/logic/words/polynomial'));
  console.log(
    '| program | questions | answered by simplification | asked before | readings tried per question that is left |',
  );
  console.log('|---|---|---|---|---|');
  for (const [id, mode] of programs) {
    const z3 = createSolver({ seed: 1 });
    const before = new Set();
    let asked = 0;
    let repeated = 0;
    const note = (terms) => {
      asked++;
      const key = [...new Set(terms.map((term) => term.id))].sort((a, b) => a - b).join(' ');
      if (before.has(key)) repeated++;
      before.add(key);
    };
    const counted = (inner) => ({
      name: inner.name,
      get statistics() {
        return inner.statistics;
      },
      close: () => inner.close(),
      check: (terms, ...rest) => {
        note(terms);
        return inner.check(terms, ...rest);
      },
      session: (...given) => {
        const session = inner.session(...given);
        const levels = [[]];
        return {
          assert: (term) => {
            levels.at(-1).push(term);
            session.assert(term);
          },
          push: () => {
            levels.push([]);
            session.push();
          },
          pop: () => {
            levels.pop();
            session.pop();
          },
          close: () => session.close(),
          check: (assumptions, ...rest) => {
            note([...levels.flat(), ...assumptions]);
            return session.check(assumptions, ...rest);
          },
        };
      },
    });
    const solver = counted(withBothEncodings(withRewriting(z3, (term) => floatsDefined(multipliedOut(term)))));
    const entry = mode === 'program' ? { entries: ['main'] } : {};
    await verify(
      {
        files: [fileOf(id)],
        load: { externals: mode === 'program' ? 'any' : 'error' },
        mode,
        ...entry,
        probes: [],
        runs: [],
        engine: 'auto',
        seed: 1,
        budget: { milliseconds: 20_000 },
        properties: propertiesOf(id).split(','),
      },
      { solver },
    );
    const trivial = z3.statistics.avoided;
    const repetition = (z3.statistics.queries - trivial) / Math.max(1, asked - trivial);
    console.log(`| ${id} | ${asked} | ${trivial} | ${repeated} | ${repetition.toFixed(2)} |`);
    await solver.close();
  }
}

async function main() {
  if (process.argv[2] === 'questions') return questions();
  const jest = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const whole = repeat(() =>
    time([jest, '--config', 'fixtures/jest.config.js', 'fixtures/papers/stack/stack.test.ts']),
  );
  const bare = repeat(() =>
    time([jest, '--config', 'fixtures/jest.config.js', 'fixtures/papers/stack/stack.test.ts', '-t', 'on top']),
  );
  const load = repeat(() => time(['-e', `require(${JSON.stringify(path.join(root, 'dist/src/index.js'))})`]));
  const { verify } = require(path.join(root, 'dist', 'src'));
  const call = (name, ...args) => ({
    kind: 'call',
    function: name,
    arguments: args.map((value) => ({ integer: String(value) })),
    answers: [],
  });
  const { statistics } = await verify({
    files: [path.join(root, 'fixtures/papers/stack/stack.c')],
    load: {},
    mode: 'module',
    init: 'init',
    probes: [],
    engine: 'auto',
    seed: 1,
    budget: { milliseconds: 60_000 },
    runs: [[call('init', 3), call('push', 7), call('push', 9), call('pop')]],
    properties: ['reach', 'memsafety', 'overflow', 'div-by-zero'],
  });
  const { secondsByPhase: phases, seconds, solverQueries, solver } = statistics;
  const rows = [
    ['whole Jest run with the proof', whole],
    ['the same without the proof', bare],
    ['loading provest in a process', load],
    ['the proof in one process', seconds],
    ['  front end', phases['front-end']],
    ['  execution (tests, search, abstraction on the fly)', phases.execution],
    [`  solving (${solverQueries} queries, ${solver}), certificate included`, phases.solving],
    ['  certificate alone', phases.certify],
  ];
  console.log('| what | seconds |');
  console.log('|---|---|');
  for (const [what, value] of rows) console.log(`| ${what} | ${value.toFixed(2)} |`);
  console.log();
  solvers();
  console.log();
  await questions();
}

main();
