/**
 * The solver queries of two builds, compared: whether a change of the engines' frame changes what they ask.
 *
 *   node bench/queries.js BUILD [OTHER_BUILD]      a build is a folder with `src/index.js`, such as `dist`
 *
 * Verifies a fixed set of programs of all kinds with a given seed and prints, for each, the verdict, the number of
 * queries and a digest of their sequence (formulas and kinds of answers). With two builds, it names the programs whose
 * sequences differ and exits with 1 if there are any. Programs are small, so that no budget of time decides.
 */
'use strict';
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const path = require('node:path');
const { spawnSync } = require('node:child_process');

const programs = path.join(__dirname, '..', 'fixtures', 'programs');
/** Five of each of six kinds, in alphabetical order where more exist. */
const kinds = ['loops', 'arrays', 'heap', 'module', 'recursion', 'strings'];
const perKind = 5;
/** Milliseconds; programs that need longer are not compared. */
const budget = 30_000;
const longest = 10_000;

function chosen() {
  const { readdirSync } = require('node:fs');
  return kinds.flatMap((kind) => {
    const files = readdirSync(path.join(programs, kind))
      .filter((name) => name.endsWith('.c'))
      .sort();
    const step = Math.max(1, Math.floor(files.length / perKind));
    return files
      .filter((_, i) => i % step === 0)
      .slice(0, perKind)
      .map((name) => path.join(programs, kind, name));
  });
}

/** In a process of its own: solver terms are interned per build. */
async function record(build) {
  const { verify } = require(path.join(build, 'src/index.js'));
  const { createSolver } = require(path.join(build, 'src/solver'));
  const { writeTerms } = require(path.join(build, 'src/logic/serialise'));
  for (const file of chosen()) {
    const digest = createHash('sha256');
    let queries = 0;
    const note = (terms, answer) => {
      queries++;
      digest.update(JSON.stringify(writeTerms(terms), (_, v) => (typeof v === 'bigint' ? `${v}n` : v)) + answer.kind);
      return answer;
    };
    const solver = createSolver({ seed: 1 });
    const recording = {
      name: solver.name,
      get statistics() {
        return solver.statistics;
      },
      session(options) {
        const session = solver.session(options);
        const asserted = [[]];
        return {
          assert: (term) => (asserted.at(-1).push(term), session.assert(term)),
          push: () => (asserted.push([]), session.push()),
          pop: () => (asserted.pop(), session.pop()),
          close: () => session.close(),
          check: async (assumptions, query) =>
            note([...asserted.flat(), ...assumptions], await session.check(assumptions, query)),
        };
      },
      check: async (terms, query, options) => note(terms, await solver.check(terms, query, options)),
      close: () => solver.close(),
    };
    const isModule = !/\bmain\s*\(/.test(readFileSync(file, 'utf8'));
    const started = performance.now();
    let kind;
    try {
      const verdict = await verify(
        {
          files: [file],
          load: { externals: 'any' },
          mode: isModule ? 'module' : 'program',
          ...(isModule ? {} : { entries: ['main'] }),
          probes: [],
          runs: [],
          properties: ['reach', 'memsafety', 'overflow', 'div-by-zero'],
          engine: 'auto',
          seed: 1,
          budget: { milliseconds: budget },
        },
        { solver: recording },
      );
      kind = verdict.kind;
    } catch (error) {
      kind = `refused: ${error.message.split('\n')[0]}`;
    }
    await solver.close();
    const isShort = performance.now() - started < longest;
    console.log(
      JSON.stringify({
        program: path.relative(programs, file),
        kind,
        queries,
        digest: digest.digest('hex').slice(0, 16),
        isShort,
      }),
    );
  }
}

function recorded(build) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [__filename, '--record', path.resolve(build)], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  if (status !== 0) throw new Error(stderr);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function compare([first, second]) {
  const before = recorded(first);
  const after = second === undefined ? before : recorded(second);
  let differences = 0;
  let compared = 0;
  console.log('| program | verdict | queries | digest | |\n|---|---|---|---|---|');
  before.forEach((one, i) => {
    const other = after[i];
    const isCompared = one.isShort && other.isShort;
    const same = one.digest === other.digest && one.kind === other.kind;
    if (isCompared) compared++;
    if (isCompared && !same) differences++;
    const remark = !isCompared
      ? 'too long to compare'
      : same
        ? 'same'
        : `differs: ${other.kind}, ${other.queries} queries`;
    console.log(
      `| ${one.program} | ${one.kind} | ${one.queries} | ${one.digest} | ${second === undefined ? '' : remark} |`,
    );
  });
  if (second !== undefined) console.log(`\n${differences} of ${compared} programs differ`);
  process.exitCode = differences === 0 ? 0 : 1;
}

const [first, ...rest] = process.argv.slice(2);
if (first === undefined) {
  console.error('usage: node bench/queries.js BUILD [OTHER_BUILD]');
  process.exitCode = 3;
} else if (first === '--record') void record(rest[0]).then(() => process.exit(0));
else compare([first, ...rest]);
