/**
 * Runs Z3's WebAssembly build for a parent process; plain JavaScript, so that it starts from the sources and from the
 * build alike. Each message is { id, context, text, limitMs, followUps } or { close: context | 'all' }; each answer {
 * id, text } or { id, error }: lines of JSON over the socket that is its file descriptor 3, with whose end it ends.
 * Contexts are made on first use. Text goes through the synchronous export; the asynchronous one frees its input too
 * early. A busy child cannot hear its parent end, so a thread watches, from the first request that may take long: it
 * kills the process when a request overstays or the parent is gone.
 */
'use strict';
const { readFileSync } = require('node:fs');
const { Socket } = require('node:net');
const { dirname, join } = require('node:path');
const v8 = require('node:v8');
const { Worker } = require('node:worker_threads');
const { WebAssembly } = globalThis;

/** Milliseconds beyond a request's limit after which only the watch thread can help. */
const graceMs = 5000;
/** [0] 1 while busy; [1] seconds since start of the deadline. */
const watched = new Int32Array(new SharedArrayBuffer(8));
const startedAt = Date.now();
const parent = process.ppid;
const secondsNow = () => Math.floor((Date.now() - startedAt) / 1000);

const watch = `
  const { workerData: { watched, startedAt, parent } } = require('node:worker_threads');
  const never = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    Atomics.wait(never, 0, 0, 500);
    const seconds = Math.floor((Date.now() - startedAt) / 1000);
    const late = Atomics.load(watched, 0) === 1 && seconds > Atomics.load(watched, 1);
    if (late || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  }
`;

/**
 * Most proofs need Z3 for less than a second: V8 checks each function when it is first called and not all of them
 * before, and optimises only what is called often, since optimising took longer than the questions. A V8 that no longer
 * has an option goes on without it.
 */
const v8Options = ['--wasm-lazy-validation', '--wasm-tiering-budget=20000000'];

/**
 * Contexts, and what they are asked, of no interest, in the form of what comes. V8 compiles Z3's functions when they
 * are first called, and each of the contexts that live at a time first touches megabytes of memory: both take longer
 * than first real questions, and who has not been asked yet has time for it. Small steps, between which it listens.
 */
const exercises = [
  [
    0,
    `(set-option :timeout 0) (set-option :rlimit 400000) (set-option :produce-unsat-cores true) (push 1)
(declare-const |i| Int) (declare-const |n| Int) (declare-const |p| Bool) (declare-const |q| Bool)
(assert (and (<= (- 2147483648) |i|) (<= |i| 2147483647))) (assert (<= 0 |n|)) (assert (= (< |i| (+ |n| 1)) |p|))
(define-fun next () Int (ite (<= |n| |i|) |i| (+ |i| 1)))
(assert (= (and (<= 0 next) (<= next (* 2 |n|))) |q|)) (push 1) (assert |p|) (assert (not |q|)) (check-sat)`,
  ],
  [0, '(get-value (|i| |n| |p| |q|))'],
  [0, '(pop 1) (push 1) (assert |p|) (assert (<= 1 |i|)) (assert (or (not |q|) (= |n| 0))) (check-sat)'],
  [-1, '(check-sat)'],
  [0, '(pop 1) (declare-const a!0 Bool) (assert (=> a!0 (< next |i|))) (check-sat-assuming (a!0)) (get-unsat-core)'],
  [-2, '(check-sat)'],
  [
    0,
    `(push 1) (declare-const |x| (_ BitVec 32)) (declare-const |y| (_ BitVec 32))
(assert (bvslt |x| |y|)) (assert (not (bvslt (bvadd |x| #x00000001) (bvmul |y| #x00000003))))
(check-sat) (get-value (|x| |y|))`,
  ],
];

let isWatched = false;

/**
 * A query that has a limit of effort alone has little, and ends by itself (`query.ts`); a thread of Node takes as long
 * to start as several of such.
 */
const isShort = (text) => /\(set-option :timeout 0\)\s*\(set-option :rlimit [1-9]/.test(text);

function watchUnless(short) {
  if (isWatched || short) return;
  isWatched = true;
  new Worker(watch, { eval: true, workerData: { watched, startedAt, parent } }).unref();
}

async function main() {
  const asking = new Socket({ fd: 3, readable: true, writable: true })
    .setEncoding('utf8')
    .on('error', () => {})
    .on('close', () => process.exit(0));
  for (const option of v8Options) v8.setFlagsFromString(option);
  const built = require.resolve('z3-solver/build/z3-built.js');
  // In one piece, and compiled where it lies: reading it bit by bit and copying it took longer than everything else.
  const wasm = readFileSync(join(dirname(built), 'z3-built.wasm'));
  const z3 = await require(built)({
    instantiateWasm(imports, received) {
      const module = new WebAssembly.Module(wasm);
      const instance = new WebAssembly.Instance(module, imports);
      received(instance, module);
      return instance.exports;
    },
  });
  const contexts = new Map();

  const contextOf = (number) => {
    let context = contexts.get(number);
    if (context === undefined) {
      const configuration = z3._Z3_mk_config();
      context = z3._Z3_mk_context(configuration);
      z3._Z3_del_config(configuration);
      z3._set_noop_error_handler(context); // the default one exits
      contexts.set(number, context);
    }
    return context;
  };

  const evaluate = (context, text) => {
    const bytes = Buffer.from(text, 'utf8');
    const pointer = z3._malloc(bytes.length + 1);
    z3.HEAPU8.set(bytes, pointer);
    z3.HEAPU8[pointer + bytes.length] = 0;
    try {
      const text = z3.UTF8ToString(z3._Z3_eval_smtlib2_string(context, pointer));
      const code = z3._Z3_get_error_code(context);
      return code === 0 ? text : z3.UTF8ToString(z3._Z3_get_error_msg(context, code)) || `(error "code ${code}")`;
    } finally {
      z3._free(pointer);
    }
  };

  const close = (numbers) => {
    for (const number of numbers) {
      const context = contexts.get(number);
      contexts.delete(number);
      if (context !== undefined) z3._Z3_del_context(context);
    }
  };

  let isAsked = false;
  const hear = (message) => {
    if (message.close !== undefined) return close(message.close === 'all' ? [...contexts.keys()] : [message.close]);
    // The warm-up's terms make room: memory that was touched before is had for little.
    if (!isAsked) close([...contexts.keys()]);
    isAsked = true;
    const { id, context, text, limitMs, followUps } = message;
    watchUnless(isShort(text));
    Atomics.store(watched, 1, secondsNow() + 1 + Math.ceil((limitMs + graceMs) / 1000));
    Atomics.store(watched, 0, 1);
    let answer;
    try {
      const first = evaluate(contextOf(context), text);
      const next = followUps && followUps[first.trim()];
      answer = { id, text: next ? `${first}\n${evaluate(contextOf(context), next)}` : first };
    } catch (error) {
      answer = { id, error: String(error && error.message ? error.message : error) };
    }
    Atomics.store(watched, 0, 0);
    answer.allocatedBytes = Number(z3._Z3_get_estimated_alloc_size());
    send(answer);
  };

  const send = (message) => asking.write(`${JSON.stringify(message)}\n`);
  let rest = '';
  asking.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) hear(JSON.parse(line));
  });
  send({ ready: evaluate(contextOf(0), '(get-info :version)') });
  const exercise = () => {
    const [context, text] = exercises.shift() ?? [];
    if (isAsked || text === undefined) return;
    evaluate(contextOf(context), text);
    setImmediate(exercise);
  };
  setImmediate(exercise);
}

main().catch((error) => {
  process.stderr.write(`${error && error.stack ? error.stack : error}\n`);
  process.exit(1);
});
