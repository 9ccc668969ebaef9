#!/usr/bin/env node
/**
 * Solver calls of test-based abstraction against plain predicate abstraction on the same predicates and the same
 * transition system (the efficiency claim of ISSTA 2006). Two baselines:
 *   Graf-Saidi (CAV 1997): per abstract state, step and predicate, ask whether the predicate or its negation must hold
 *   afterwards;
 *   all-SAT: per abstract state and step, enumerate the abstract successors (the best transformer, as precise as ours).
 * Usage: npm run build && node bench/solver-calls.js
 */
'use strict';
const path = require('node:path');
const dist = path.join(__dirname, '..', 'dist', 'src');
const { loadProgram } = require(path.join(dist, 'program'));
const { TransitionSystem } = require(path.join(dist, 'abstraction/transitionSystem/transitionSystem'));
const { cube, PredicateAbstraction } = require(path.join(dist, 'abstraction/predicates/predicateAbstraction'));
const { defaultPredicates } = require(path.join(dist, 'abstraction/predicates/defaultPredicates'));
const { ConcreteView } = require(path.join(dist, 'abstraction/transitionSystem/concreteView'));
const { TestBasedAbstraction } = require(path.join(dist, 'engines/testBasedAbstraction/testBasedAbstraction'));
const { Machine } = require(path.join(dist, 'semantics/concrete/machine'));
const { createSolver } = require(path.join(dist, 'solver'));
const { substituteAll } = require(path.join(dist, 'logic', 'substitute'));
const { compile } = require(path.join(dist, 'logic', 'compile'));
const L = require(path.join(dist, 'logic', 'build'));

const fixtures = path.join(__dirname, '..', 'fixtures');
const subjects = [
  ['papers/stack/stack.c', { init: 'init' }],
  ['papers/stack/stack-bug.c', { init: 'init' }],
  ['examples/ring/ring.c', {}],
];
const checkedProperties = new Set(['reach', 'memsafety', 'overflow', 'div-by-zero']);
const budget = { timeoutMs: 20_000 };

function systemFor(file, { init }) {
  const program = loadProgram([path.join(fixtures, file)], {});
  const entries = program.functions.filter((fn) => !fn.library && fn.linkage === 'external' && fn.name !== init);
  const system = new TransitionSystem(program, {
    mode: 'module',
    entries,
    init: init && program.functionByName.get(init),
    checkedProperties,
    cutpoints: 'default',
    inline: true,
    pointerAxioms: true,
    requires: () => [],
  });
  const predicates = defaultPredicates(system, new Map(), { depth: 3, perPoint: 16, contents: false, shifts: false });
  const abstraction = new PredicateAbstraction(system, new Map(), (point) => predicates.get(point));
  return { program, system, abstraction };
}

async function ours(file, options) {
  const { program, system, abstraction } = systemFor(file, options);
  const solver = createSolver({ seed: 1 });
  const engine = new TestBasedAbstraction(abstraction, solver, new Machine(program, { stepLimit: 1e6 }), {
    query: budget,
    abstractStates: 20_000,
    runSteps: 100_000,
    idleSteps: 4000,
    stop: () => undefined,
  });
  if (!options.init) engine.recorder.visit(system.client, undefined);
  const start = performance.now();
  const result = await engine.close();
  const seconds = (performance.now() - start) / 1000;
  await solver.close();
  return { calls: engine.statistics.queries, states: count(abstraction), seconds, closed: result.kind === 'closed' };
}

/**
 * `successors(transition, source valuation)` says how a baseline finds the abstract successors and counts its own
 * calls.
 */
async function baseline(file, options, successors) {
  const { program, system, abstraction } = systemFor(file, options);
  const solver = createSolver({ seed: 1 });
  const counter = { calls: 0 };
  const start = performance.now();
  const add = (point, valuation, work) => {
    if (abstraction.at(point).add({ valuation, context: '', source: 'abstract', sample: [] }))
      work.push([point, valuation]);
  };
  const work = [];
  const { client } = system;
  if (!options.init) {
    const machine = new Machine(program);
    const view = new ConcreteView(system.vocabulary, {
      globals: machine.globals,
      memory: machine.memory,
      activation: undefined,
      activations: [],
    });
    add(
      client,
      abstraction
        .at(client)
        .predicates.map(({ term }) => (compile(term)(view.value) === true ? '1' : '0'))
        .join(''),
      work,
    );
  }
  const limit = Date.now() + 120_000;
  const expand = async (transition, source) => {
    for (const [point, valuation] of await successors(abstraction, solver, transition, source, counter))
      add(point, valuation, work);
  };
  for (const transition of system.transitions) if (transition.kind === 'start') await expand(transition, undefined);
  while (work.length > 0 && Date.now() < limit) {
    const [point, valuation] = work.shift();
    if (point.kind === 'exit') {
      add(client, valuation.slice(0, abstraction.at(client).predicates.length), work);
      continue;
    }
    for (const transition of system.transitions) if (transition.from === point) await expand(transition, valuation);
  }
  await solver.close();
  return {
    calls: counter.calls,
    states: count(abstraction),
    seconds: (performance.now() - start) / 1000,
    closed: work.length === 0,
  };
}

const count = ({ points, system }) =>
  points.filter(({ point }) => point !== system.client).reduce((sum, abstract) => sum + abstract.all().length, 0);
const base = (abstraction, transition, source) => [
  ...transition.axioms,
  ...(source === undefined
    ? []
    : [
        cube(
          source,
          abstraction.at(transition.from).predicates.map(({ term }) => term),
        ),
      ]),
];

async function ask(system, solver, terms, counter) {
  counter.calls++;
  return solver.check([...terms, ...system.vocabulary.readAxioms(terms, new Set())], budget);
}

async function allSat(abstraction, solver, transition, source, counter) {
  const { system } = abstraction;
  const found = [];
  for (const { point, guard, state } of transition.ends) {
    const literals = substituteAll(
      abstraction.at(point).predicates.map(({ term }) => term),
      system.vocabulary.binding(point.fn, state),
    );
    const known = [];
    for (;;) {
      const answer = await ask(
        system,
        solver,
        [...base(abstraction, transition, source), guard, ...known.map((v) => L.not(cube(v, literals)))],
        counter,
      );
      if (answer.kind !== 'sat') break;
      const valuation = literals.map((literal) => (answer.model.evaluate(literal) === true ? '1' : '0')).join('');
      known.push(valuation);
      found.push([point, valuation]);
    }
  }
  return found;
}

async function grafSaidi(abstraction, solver, transition, source, counter) {
  const { system } = abstraction;
  const found = [];
  for (const { point, guard, state } of transition.ends) {
    const literals = substituteAll(
      abstraction.at(point).predicates.map(({ term }) => term),
      system.vocabulary.binding(point.fn, state),
    );
    const premises = [...base(abstraction, transition, source), guard];
    if ((await ask(system, solver, premises, counter)).kind === 'unsat') continue;
    let successors = [''];
    for (const literal of literals) {
      const must = (await ask(system, solver, [...premises, L.not(literal)], counter)).kind === 'unsat';
      const mustNot = !must && (await ask(system, solver, [...premises, literal], counter)).kind === 'unsat';
      successors = successors.flatMap((prefix) =>
        must ? [`${prefix}1`] : mustNot ? [`${prefix}0`] : [`${prefix}0`, `${prefix}1`],
      );
      if (successors.length > 4096) return found;
    }
    for (const valuation of successors) found.push([point, valuation]);
  }
  return found;
}

(async () => {
  console.log(
    '| module | predicates | ours: calls / states | all-SAT: calls / states | Graf-Saidi: calls / states | ' +
      'all-SAT : ours | Graf-Saidi : ours |',
  );
  console.log('|---|---|---|---|---|---|---|');
  for (const [file, options] of subjects) {
    const { abstraction } = systemFor(file, options);
    const predicates = Math.max(...abstraction.points.map((point) => point.predicates.length));
    const a = await ours(file, options);
    const b = await baseline(file, options, allSat);
    const c = await baseline(file, options, grafSaidi);
    const show = (r) => `${r.calls} / ${r.states}${r.closed ? '' : ' (cut at 2 min)'}, ${r.seconds.toFixed(1)} s`;
    console.log(
      `| ${file} | up to ${predicates} a point | ${show(a)} | ${show(b)} | ${show(c)} | ` +
        `${(b.calls / a.calls).toFixed(1)} | ${(c.calls / a.calls).toFixed(1)} |`,
    );
  }
})();
