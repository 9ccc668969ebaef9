/**
 * Candidates from the states seen (Daikon's idea; Houdini is the judge): constants, bounds, orders and differences
 * of two variables, linear equations, congruences, and the program's own conditions. Every candidate holds in all
 * samples; nothing here is believed.
 */
import { sizeOf } from '../../c/layout';
import * as L from '../../logic/build';
import { sizeOf as termSize, symbolsOf } from '../../logic/substitute';
import type { Application, Term } from '../../logic/term';
import type { Expression } from '../../program/expression';
import { expressionsOf, operands, walk } from '../../program/traverse';
import type { FunctionDefinition } from '../../program/program';
import { passedFunctions } from '../../semantics/pointers/passedFunctions';
import type { Cutpoint } from '../transitionSystem/cutpoint';
import { invariantsAt, type InvariantMap } from '../transitionSystem/invariantMap';
import { polynomialEquations } from './polynomials';
import { isCallableOrNull, kindsOfFunction } from '../../semantics/symbolic/functionPointerAssumptions';
import { accumulators } from './accumulators';
import { comparedWithConstants, partitionedCandidates, steadyIn } from './caseSplits';
import { elementConditions } from './elementConditions';
import { staticConditions } from './staticConditions';
import { modularNullSpace } from './modularNullSpace';
import { nullSpace } from './nullSpace';
import { linearRatioBounds } from './multiples';
import { Relevance } from '../transitionSystem/relevance';
import type { Observable, ObservableVariable, Sample, Samples } from './samples';
import type { TransitionSystem } from '../transitionSystem/transitionSystem';
import { definedAt, definedObjects } from '../transitionSystem/definedness';

const VARIABLE_LIMIT = 12;
const EQUATION_VARIABLES = 8;
const BASIC_SIZE = 7;
const DISTANCE_VARIABLES = 6;
/** On either side: the nearest need not be the one that executions keep to which were not seen. */
const DISTANCE_BOUNDS = 3;

/** Integer variables in scope that matter there, the program's own before temporaries. */
export function observablesOf(system: TransitionSystem): Map<Cutpoint, ObservableVariable[]> {
  const { vocabulary } = system;
  const relevance = relevanceOf(system);
  const result = new Map<Cutpoint, ObservableVariable[]>();
  for (const point of system.points) {
    const found: ObservableVariable[] = [];
    for (const symbol of vocabulary.symbolsFor(point.fn)) {
      const meaning = vocabulary.meaning(symbol)!;
      if (meaning.kind === 'variable') {
        const { variable } = meaning;
        if (variable.type.kind !== 'integer' || meaning.part !== 'value') continue;
        if (point.kind === 'module' ? variable.temporary : !relevance.at(point.location, variable)) continue;
        if (variable.scope === 'local') {
          if (point.kind === 'module') continue;
          const parameter = point.fn.parameters.includes(variable);
          if (point.kind === 'entry' && !parameter) continue;
          if (point.kind === 'exit' && !parameter && variable !== point.fn.resultVariable && !variable.entryValueOf)
            continue;
        }
        found.push({
          term: symbol,
          name: variable.name,
          signed: variable.type.signed,
          widthBits: variable.type.widthBits,
        });
      } else if (meaning.kind === 'memory') {
        const { role } = meaning.memory;
        if (
          role.kind !== 'slot' ||
          role.addressing !== 'plain' ||
          role.slot === 'byte' ||
          role.slot.type.kind !== 'integer'
        )
          continue;
        if (
          role.single?.kind === 'frame' &&
          (role.single.function !== point.fn || point.kind === 'entry' || point.kind === 'exit')
        )
          continue;
        found.push({
          term: symbol,
          name: meaning.memory.name,
          signed: role.slot.type.signed,
          widthBits: role.slot.type.widthBits,
        });
      }
    }
    const mentioned = mentionedIn(point.fn, system);
    found.sort((a, b) => Number(mentioned.has(b.name)) - Number(mentioned.has(a.name)));
    result.set(point, found.slice(0, VARIABLE_LIMIT));
  }
  return result;
}

export function relevanceOf({
  functions,
  program,
  inlined,
  options,
  weakening: { dropped },
}: TransitionSystem): Relevance {
  const called = new Set(
    functions.flatMap((fn) =>
      fn.edges.flatMap((edge) => (edge.command.kind === 'call' && !dropped.has(edge) ? edge.command.targets : [])),
    ),
  );
  return new Relevance({
    functions: dropped.size === 0 ? program.functions : [...functions, ...inlined],
    checkedProperties: options.checkedProperties,
    dropped,
    hasCaller: (fn) => options.mode === 'module' || called.has(fn) || inlined.has(fn),
  });
}

function mentionedIn(fn: FunctionDefinition, { weakening: { dropped } }: TransitionSystem): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { command } of fn.edges.filter((edge) => !dropped.has(edge))) {
    for (const e of expressionsOf(command))
      walk(e, (node) => {
        if (node.kind === 'read') names.add(node.variable.name);
      });
    if ('target' in command && command.target && 'name' in command.target) names.add(command.target.name);
  }
  return names;
}

/**
 * Integer constants of the program, with their neighbours, in ascending order. Where members lie in their structures is
 * no number of the program's.
 */
export function constantsOf(system: TransitionSystem): readonly bigint[] {
  const found = new Set<bigint>([-1n, 0n, 1n]);
  const visit = (e: Expression): void => {
    if (e.kind === 'integer') for (const near of [-1n, 0n, 1n]) found.add(e.value + near);
    else if (e.kind === 'load') place(e.address);
    else operands(e).forEach(visit);
  };
  const place = (e: Expression): void => {
    if (e.kind !== 'offset') return visit(e);
    place(e.pointer);
    if (e.delta.kind !== 'integer') visit(e.delta);
  };
  for (const fn of system.functions) {
    for (const { command } of fn.edges.filter((edge) => !system.weakening.dropped.has(edge))) {
      if (
        command.kind === 'check' &&
        (command.check === 'signed-overflow' ||
          command.check === 'dereference' ||
          command.check === 'uninitialised-read')
      )
        continue;
      if (command.kind === 'store') {
        place(command.address);
        visit(command.value);
      } else expressionsOf(command).forEach(visit);
    }
  }
  return [...found].sort((a, b) => (a < b ? -1 : 1));
}

/**
 * `basic`: equations, orders, bounds and short conditions of the program, in all states, and bounds of sums; `extents`:
 * of pointers that walk, and what lies before and behind them; `plain`: also congruences, distances, multiples and all conditions;
 * `split`: what holds only on one side of a condition, as implications; `modes`: what holds only for one value of a
 * variable that has few, as implications; `chains`: of what variables reach along links; `objects`: of all objects of a region, and of pointers, which rests on it;
 * `conditions`: that checks ask of an element, of all in a range; `elements`: of all elements of an array in a range;
 * `curves`: polynomial equations, which make every question harder. Each is dearer to check than the one before.
 */
export type CandidateKind =
  'basic' | 'conditions' | 'extents' | 'plain' | 'chains' | 'objects' | 'elements' | 'modes' | 'curves' | 'split';

/** At each control point those of both. */
export function both(
  some: ReadonlyMap<Cutpoint, readonly Term[]>,
  others: ReadonlyMap<Cutpoint, readonly Term[]>,
  { points }: TransitionSystem,
): ReadonlyMap<Cutpoint, readonly Term[]> {
  return new Map(
    points.map((point) => [point, [...new Set([...(some.get(point) ?? []), ...(others.get(point) ?? [])])]]),
  );
}

/** Candidates per cutpoint, without those that are invariants already. */
export function candidatesFrom(
  system: TransitionSystem,
  known: InvariantMap,
  samples: Samples,
  constants: readonly bigint[],
  kind: CandidateKind,
): Map<Cutpoint, Term[]> {
  const isNew =
    (point: Cutpoint) =>
    (term: Term): boolean =>
      !invariantsAt(known, point).includes(term);
  const result = new Map<Cutpoint, Term[]>();
  const compared = kind === 'modes' ? comparedWithConstants(system) : undefined;
  const conditions =
    kind === 'conditions' ? both(elementConditions(system), staticConditions(system), system) : undefined;
  const sums = kind === 'basic' ? accumulators(system) : undefined;
  for (const point of system.points) {
    if (conditions) {
      result.set(point, conditions.get(point)!.filter(isNew(point)));
      continue;
    }
    if (kind === 'elements') {
      result.set(point, samples.arrays?.candidates(point).filter(isNew(point)) ?? []);
      continue;
    }
    if (kind === 'extents') {
      result.set(point, samples.extents?.candidates(point, constants).filter(isNew(point)) ?? []);
      continue;
    }
    if (kind === 'chains') {
      result.set(point, samples.chains?.candidates(point).filter(isNew(point)) ?? []);
      continue;
    }
    if (kind === 'objects') {
      result.set(point, samples.objects?.candidates(point, constants).filter(isNew(point)) ?? []);
      continue;
    }
    if (kind === 'curves') {
      result.set(
        point,
        polynomialEquations(
          withoutSums(samples.observablesOf(point)),
          samples.of(point).map(({ values }) => values),
        ).filter(isNew(point)),
      );
      continue;
    }
    const plain = new Set<Term>();
    for (const { term, value } of samples.uncontradicted(point)) {
      if (kind === 'basic' && termSize(term) > BASIC_SIZE) continue;
      // That some part of a conjunction fails is no candidate worth having.
      if (value) plain.add(term);
      else if (term.kind !== 'apply' || term.operator !== 'and') plain.add(L.not(term));
    }
    const seen = samples.of(point);
    const observables = samples.observablesOf(point);
    const vectors = seen.map(({ values }) => values);
    if (vectors.length > 0) templates(observables, vectors, constants, plain, kind === 'basic');
    let terms = plain;
    if (compared)
      terms = new Set(
        partitionedCandidates(seen, observables, compared, plain, steadyIn(system, point), (mode, some) =>
          heldInMode(mode, some, samples.watchedAt(point), observables, constants),
        ),
      );
    if (kind === 'split') {
      terms = new Set(plain);
      if (vectors.length > 0) guarded(seen, samples.watchedAt(point), observables, constants, terms);
      for (const term of plain) terms.delete(term);
    }
    for (const term of sums?.get(point) ?? []) terms.add(term);
    const invariants = new Set(invariantsAt(known, point));
    result.set(
      point,
      [...terms].filter((term) => term !== L.TRUE && !invariants.has(term)),
    );
  }
  whereNoRunCame(system, known, samples, constants, kind, result);
  if (kind === 'basic') assumedOfClients(system, known, result);
  shareAcrossCalls(system, known, result, kind === 'modes' ? 'everywhere' : 'where clients come and go');
  return result;
}

/**
 * Promises that clients keep when they call a function; where the module calls it, too, Houdini has the last word. What
 * was stated of a function often holds all through it, also of parameters that change: `n <= PROVEST_LENGTH(p)` in
 * `while (n--) *p++ = 0`. Pointers that were handed over are still valid behind a call.
 */
function assumedOfClients(system: TransitionSystem, known: InvariantMap, candidates: Map<Cutpoint, Term[]>): void {
  for (const point of system.points) {
    if (point.kind === 'exit' || (point.kind !== 'entry' && !isKeptAt(point, system))) continue;
    const promised = assumptionsAt(point, system);
    candidates.set(point, [
      ...new Set([
        ...promised.filter((term) => !invariantsAt(known, point).includes(term)),
        ...(candidates.get(point) ?? []),
      ]),
    ]);
  }
}

const isKeptAt = ({ kind, fn }: Cutpoint, system: TransitionSystem): boolean =>
  system.requires(fn) || (kind === 'return' && fn.parameters.some(({ type }) => type.kind === 'pointer'));

/** Promises of clients that call the point's function, in words of the point; none if no client calls it. */
export function assumptionsAt(point: Cutpoint, system: TransitionSystem): Term[] {
  const {
    vocabulary,
    options: { entries, init },
  } = system;
  if (point.fn !== init && !entries.includes(point.fn)) return [];
  const assumptions = system.clientAssumptions(point.fn).flatMap(conjuncts);
  return (point.kind === 'entry' ? assumptions : assumptions.flatMap(clauses)).filter(
    (term) => term.kind !== 'boolean' && [...symbolsOf(term)].every((symbol) => vocabulary.meaning(symbol)),
  );
}

const conjuncts = (term: Term): readonly Term[] =>
  L.isApplication(term, 'and') ? term.args.flatMap(conjuncts) : [term];

/** `a || b && c` as `a || b` and `a || c`. */
function clauses(term: Term): readonly Term[] {
  const at = L.isApplication(term, 'or') ? term.args.findIndex((arg) => L.isApplication(arg, 'and')) : -1;
  if (!L.isApplication(term, 'or') || at === -1) return [term];
  return (term.args[at] as Application).args.flatMap((part) => clauses(L.or(...term.args.with(at, part))));
}

/**
 * At loops behind others that are too long for runs to pass, what holds there may still hold; of other variables bounds
 * are tried.
 */
function whereNoRunCame(
  { points }: TransitionSystem,
  known: InvariantMap,
  samples: Samples,
  constants: readonly bigint[],
  kind: CandidateKind,
  candidates: Map<Cutpoint, Term[]>,
): void {
  const loops = points.filter((point) => point.kind === 'loop');
  for (const point of loops) {
    if (samples.of(point).length > 0) continue;
    const elsewhere = loops.filter((other) => other.fn === point.fn && samples.of(other).length > 0);
    const tried =
      kind === 'elements'
        ? elsewhere.flatMap((other) => samples.arrays?.carried(other, point) ?? [])
        : elsewhere.flatMap((other) => [...invariantsAt(known, other), ...candidates.get(other)!]);
    if (kind === 'basic')
      tried.push(...withoutSums(samples.observablesOf(point)).flatMap((v) => boundsOf(v, constants)));
    candidates.set(
      point,
      [...new Set([...candidates.get(point)!, ...tried])].filter((term) => !invariantsAt(known, point).includes(term)),
    );
  }
}

const UNSEEN_BOUNDS = 8;

function boundsOf(v: Observable, constants: readonly bigint[]): Term[] {
  const le = v.signed ? L.sle : L.ule;
  const literal = (value: bigint): Term => L.bits(BigInt.asUintN(v.widthBits, value), v.widthBits);
  return [
    ...(v.signed ? [le(literal(0n), v.term)] : []),
    ...constants
      .filter((c) => c > 0n && fits(c, v))
      .slice(-UNSEEN_BOUNDS)
      .map((c) => le(v.term, literal(c))),
  ];
}

/**
 * Candidates between two calls are tried at every function that a client calls, where it begins and where it returns: a
 * function that resets a variable to zero suggests bounds of its own for it, and would else promise nothing about those
 * that all others keep. Candidates about a mode must hold on the way, too, where few states of it were seen.
 */
function shareAcrossCalls(
  { client, points, options: { entries, init } }: TransitionSystem,
  known: InvariantMap,
  candidates: Map<Cutpoint, Term[]>,
  where: 'everywhere' | 'where clients come and go',
): void {
  const shared = client ? (candidates.get(client) ?? []) : [];
  if (shared.length === 0) return;
  for (const point of points) {
    if (
      where !== 'everywhere' &&
      ((point.kind !== 'entry' && point.kind !== 'exit') || (point.fn !== init && !entries.includes(point.fn)))
    )
      continue;
    candidates.set(point, [
      ...new Set([
        ...shared.filter((term) => !invariantsAt(known, point).includes(term)),
        ...(candidates.get(point) ?? []),
      ]),
    ]);
  }
}

/** Bounds, orders, equations and congruences that hold in all of the states. */
export function templatesOf(
  observables: readonly Observable[],
  vectors: readonly (readonly bigint[])[],
  constants: readonly bigint[],
): ReadonlySet<Term> {
  const found = new Set<Term>();
  if (vectors.length > 0) templates(observables, vectors, constants, found);
  return found;
}

function templates(
  observables: readonly Observable[],
  vectors: readonly (readonly bigint[])[],
  constants: readonly bigint[],
  out: Set<Term>,
  basic = false,
): void {
  equations(observables, vectors, out);
  const plain = withoutSums(observables);
  single(plain, vectors, constants, out, basic);
  pairs(plain, vectors, out, basic);
  if (basic) return;
  distances(plain, vectors, constants, out);
  for (const term of linearRatioBounds(plain, vectors, constants)) out.add(term);
}

/** They come last, so that the others are found in vectors of values by their places. */
const withoutSums = (observables: readonly Observable[]): readonly Observable[] =>
  observables.filter(({ isSum }) => !isSum);

/** Guards whose two sides are learned apart, and states a side must have before anything is guessed of it. */
const GUARD_LIMIT = 6;
const SIDE_MINIMUM = 3;
const GUARDED_LIMIT = 60;

/**
 * Trace partitioning, one level: what holds of the states in which a watched formula is true, or false, and not of all,
 * as an implication. Formulas that split the samples most evenly come first.
 */
function guarded(
  seen: readonly Sample[],
  watched: readonly Term[],
  observables: readonly Observable[],
  constants: readonly bigint[],
  out: Set<Term>,
): void {
  const guards = watched
    .map((term, i) => {
      const yes = seen.filter(({ truths }) => truths[i]).length;
      return { term, i, balance: Math.min(yes, seen.length - yes) };
    })
    .filter(({ balance }) => balance >= SIDE_MINIMUM)
    .sort((a, b) => b.balance - a.balance || a.i - b.i)
    .slice(0, GUARD_LIMIT);
  for (const { term, i } of guards) {
    for (const side of [true, false]) {
      const guard = side ? term : L.not(term);
      let count = 0;
      for (const candidate of heldBy(
        seen.filter(({ truths }) => truths[i] === side),
        watched,
        observables,
        constants,
      )) {
        if (candidate === guard || out.has(candidate) || count++ >= GUARDED_LIMIT) continue;
        out.add(L.or(side ? L.not(term) : term, candidate));
      }
    }
  }
}

/** Templates, and watched formulas that are true or false in all of the states. */
function heldBy(
  seen: readonly Sample[],
  watched: readonly Term[],
  observables: readonly Observable[],
  constants: readonly bigint[],
): ReadonlySet<Term> {
  const found = new Set<Term>();
  templates(
    observables,
    seen.map(({ values }) => values),
    constants,
    found,
  );
  for (const term of decided(watched, seen)) found.add(term);
  return found;
}

/** Watched formulas that are true in all of the states, and negations of those that are false. */
function decided(watched: readonly Term[], seen: readonly Sample[]): Term[] {
  return watched.flatMap((term, i) =>
    seen.every(({ truths }) => truths[i]!) ? [term] : seen.every(({ truths }) => !truths[i]!) ? [L.not(term)] : [],
  );
}

/**
 * Facts about states with the same value of `mode`, in few and short words: values, bounds and orders of the other
 * variables, and conditions about those that vary.
 */
function heldInMode(
  mode: Term,
  seen: readonly Sample[],
  watched: readonly Term[],
  observables: readonly Observable[],
  constants: readonly bigint[],
): ReadonlySet<Term> {
  const found = new Set<Term>();
  const others = observables.flatMap((v, i) => {
    if (v.term === mode || v.isSum) return [];
    const values = seen.map((sample) => sample.values[i]!);
    return [{ v, values, low: minimum(values), high: maximum(values) }];
  });
  const varying = others.filter(({ low, high }) => low !== high);
  const literal = (v: Observable, value: bigint): Term => L.bits(BigInt.asUintN(v.widthBits, value), v.widthBits);
  for (const { v, low, high } of others) if (low === high) found.add(L.eq(v.term, literal(v, low)));
  pairs(
    varying.map(({ v }) => v),
    seen.map((_, s) => varying.map(({ values }) => values[s]!)),
    found,
    true,
  );
  for (const { v, low, high } of varying) {
    const le = v.signed ? L.sle : L.ule;
    const [below, above] = [[...constants].reverse().find((c) => c <= low), constants.find((c) => c >= high)];
    if (below !== undefined && fits(below, v)) found.add(le(literal(v, below), v.term));
    if (above !== undefined && fits(above, v)) found.add(le(v.term, literal(v, above)));
  }
  const settled = new Set([mode, ...others.flatMap(({ v, low, high }) => (low === high ? [v.term] : []))]);
  for (const term of decided(watched, seen))
    if (termSize(term) <= BASIC_SIZE && [...symbolsOf(term)].every((symbol) => !settled.has(symbol))) found.add(term);
  return found;
}

/**
 * Formulas about pointers worth watching: null, alive, from the allocator, at the start of their object, and the size
 * of that.
 */
export function pointerFormulas(
  system: TransitionSystem,
  observables: ReadonlyMap<Cutpoint, readonly Observable[]>,
): Map<Cutpoint, Term[]> {
  const { vocabulary, memoryModel } = system;
  const sizes = allocatedSizes(system);
  const half = (value: number | bigint): Term => L.bits(BigInt(value), memoryModel.half);
  const result = new Map<Cutpoint, Term[]>();
  for (const point of system.points) {
    const terms: Term[] = [];
    const pointers = vocabulary
      .pointersFor(point.fn)
      .filter(({ variable }) => {
        if (variable.temporary) return false;
        if (variable.scope === 'global') return true;
        if (point.kind === 'module') return false;
        const parameter = point.fn.parameters.includes(variable);
        return parameter || (point.kind !== 'entry' && (point.kind !== 'exit' || variable === point.fn.resultVariable));
      })
      .slice(0, 6);
    for (const {
      variable,
      value: { object, offset },
    } of pointers) {
      const functions = passedFunctions(variable.ctype, system.program);
      if (functions) {
        terms.push(
          ...kindsOfFunction(functions, { object, offset }, memoryModel.half),
          isCallableOrNull(functions, { object, offset }, memoryModel.half),
        );
        continue;
      }
      const isNull = L.eq(object, half(0));
      const size = L.select(vocabulary.symbolOf(memoryModel.size), object);
      const unit = variable.ctype?.kind === 'pointer' ? (sizeOf(variable.ctype.to, system.program.dataModel) ?? 1) : 1;
      const about: Term[] = [
        L.select(vocabulary.symbolOf(memoryModel.live), object),
        L.ult(half(memoryModel.lastStatic), object),
        L.select(vocabulary.symbolOf(memoryModel.heap), object),
        L.eq(offset, half(0)),
        L.sle(half(unit), size),
        ...sizes.map((bytes) => L.eq(size, half(bytes))),
      ];
      for (const v of (observables.get(point) ?? []).slice(0, 6)) {
        const wide = v.widthBits === 64 ? v.term : v.signed ? L.signExtend(v.term, 64) : L.zeroExtend(v.term, 64);
        const bytes = L.mul(wide, L.bits(BigInt(unit), 64));
        const room = L.zeroExtend(size, 64);
        about.push(L.eq(room, bytes), L.slt(bytes, room), L.sle(bytes, room));
      }
      about.push(...definedAt(system, variable, { object, offset }));
      terms.push(L.and(isNull, L.eq(offset, half(0))), ...about, ...about.map((term) => L.or(isNull, term)));
    }
    for (let i = 0; i < pointers.length; i++) {
      for (let j = i + 1; j < pointers.length; j++) {
        const [a, b] = [pointers[i]!.value, pointers[j]!.value];
        terms.push(
          L.or(L.eq(a.object, half(0)), L.not(L.eq(a.object, b.object))),
          L.and(L.eq(a.object, b.object), L.eq(a.offset, b.offset)),
        );
      }
    }
    terms.push(...definedObjects(system, point));
    result.set(
      point,
      [...new Set(terms)].filter((term) => term.kind !== 'boolean'),
    );
  }
  return result;
}

function allocatedSizes(system: TransitionSystem): readonly bigint[] {
  const sizes = new Set<bigint>();
  for (const fn of system.program.functions)
    for (const { command } of fn.edges)
      if (command.kind === 'allocate' && command.size.kind === 'integer') sizes.add(command.size.value);
  return [...sizes].slice(0, 4);
}

function single(
  observables: readonly Observable[],
  vectors: readonly (readonly bigint[])[],
  constants: readonly bigint[],
  out: Set<Term>,
  basic: boolean,
): void {
  observables.forEach((v, i) => {
    const values = vectors.map((vector) => vector[i]!);
    const [low, high] = [minimum(values), maximum(values)];
    const literal = (value: bigint): Term => L.bits(BigInt.asUintN(v.widthBits, value), v.widthBits);
    const le = v.signed ? L.sle : L.ule;
    if (low === high) out.add(L.eq(v.term, literal(low)));
    for (const bound of [low, [...constants].reverse().find((c) => c <= low)])
      if (bound !== undefined && fits(bound, v)) out.add(le(literal(bound), v.term));
    for (const bound of [high, constants.find((c) => c >= high)])
      if (bound !== undefined && fits(bound, v)) out.add(le(v.term, literal(bound)));
    for (const bound of constants.filter((c) => c >= high && fits(c, v)).slice(0, 4))
      out.add(le(v.term, literal(bound)));
    for (const bound of constants.filter((c) => c <= low && fits(c, v)).slice(-3)) out.add(le(literal(bound), v.term));
    if (basic || vectors.length < 3 || low === high) return;
    for (const modulus of [2n, 3n, 4n, 8n]) {
      const residue = ((values[0]! % modulus) + modulus) % modulus;
      if (!values.every((value) => ((value % modulus) + modulus) % modulus === residue)) continue;
      if (modulus === 3n) {
        if (low >= 0n) out.add(L.eq(L.urem(v.term, literal(3n)), literal(residue)));
      } else out.add(L.eq(L.bitAnd(v.term, literal(modulus - 1n)), literal(residue)));
    }
  });
}

function pairs(
  observables: readonly Observable[],
  vectors: readonly (readonly bigint[])[],
  out: Set<Term>,
  basic: boolean,
): void {
  const wide = (v: Observable): Term =>
    v.widthBits >= 64 ? v.term : v.signed ? L.signExtend(v.term, 64) : L.zeroExtend(v.term, 64);
  for (let i = 0; i < observables.length; i++) {
    for (let j = i + 1; j < observables.length; j++) {
      const [a, b] = [observables[i]!, observables[j]!];
      const differences = vectors.map((vector) => vector[i]! - vector[j]!);
      const [low, high] = [minimum(differences), maximum(differences)];
      const same = a.widthBits === b.widthBits && a.signed === b.signed;
      const le = (x: Observable, y: Observable): Term =>
        same ? (a.signed ? L.sle(x.term, y.term) : L.ule(x.term, y.term)) : L.sle(wide(x), wide(y));
      const lt = (x: Observable, y: Observable): Term =>
        same ? (a.signed ? L.slt(x.term, y.term) : L.ult(x.term, y.term)) : L.slt(wide(x), wide(y));
      if (low === high && same)
        out.add(L.eq(a.term, L.add(b.term, L.bits(BigInt.asUintN(a.widthBits, low), a.widthBits))));
      if (low >= 0n) out.add(le(b, a));
      if (low >= 1n) out.add(lt(b, a));
      if (high <= 0n) out.add(le(a, b));
      if (high <= -1n) out.add(lt(a, b));
      if (basic || a.widthBits >= 64 || b.widthBits >= 64) continue;
      const bounded = (x: Observable, y: Observable, limit: bigint): Term =>
        L.sle(wide(x), L.add(wide(y), L.bits(BigInt.asUintN(64, limit), 64)));
      if (high === 1n || high === -2n) out.add(bounded(a, b, high));
      if (low === -1n || low === 2n) out.add(bounded(b, a, -low));
      const sums = vectors.map((vector) => vector[i]! + vector[j]!);
      const [least, most] = [minimum(sums), maximum(sums)];
      const total = L.add(wide(a), wide(b));
      const never = (x: Observable, at: number): boolean => !x.signed || vectors.every((vector) => vector[at]! >= 0n);
      if (least >= 0n && !(never(a, i) && never(b, j))) out.add(L.sle(L.bits(0n, 64), total));
      if (least === most) out.add(L.eq(total, L.bits(BigInt.asUintN(64, least), 64)));
    }
  }
}

/**
 * Bounds on a difference in the arithmetic of the width: what is added to both variables leaves it alone even where it
 * wraps, as no bound over the integers does.
 */
function distances(
  observables: readonly Observable[],
  vectors: readonly (readonly bigint[])[],
  constants: readonly bigint[],
  out: Set<Term>,
): void {
  const used = observables.slice(0, DISTANCE_VARIABLES);
  const bounds = [...new Set([...constants, ...constants.map((c) => -c)])].sort((a, b) => (a < b ? -1 : 1));
  for (let i = 0; i < used.length; i++) {
    for (let j = i + 1; j < used.length; j++) {
      const [a, b] = [used[i]!, used[j]!];
      if (a.widthBits !== b.widthBits) continue;
      const width = a.widthBits;
      const values = vectors.map((vector) => BigInt.asIntN(width, vector[i]! - vector[j]!));
      const [low, high] = [minimum(values), maximum(values)];
      const above = bounds.filter((c) => c >= high && c < 1n << BigInt(width - 2)).slice(0, DISTANCE_BOUNDS);
      const below = bounds.filter((c) => c <= low && c > -(1n << BigInt(width - 2))).slice(-DISTANCE_BOUNDS);
      // With one side open, words wrap across it.
      if (low === high || above.length === 0 || below.length === 0) continue;
      const distance = L.sub(a.term, b.term);
      const literal = (value: bigint): Term => L.bits(BigInt.asUintN(width, value), width);
      for (const bound of above) out.add(L.sle(distance, literal(bound)));
      for (const bound of below) out.add(L.sle(literal(bound), distance));
    }
  }
}

/**
 * Linear equations that all samples satisfy, modulo the width: an equation over the integers holds modulo any power of
 * two.
 */
function equations(observables: readonly Observable[], vectors: readonly (readonly bigint[])[], out: Set<Term>): void {
  for (const width of [32, 64]) {
    const all = observables.flatMap((v, i) => (v.widthBits === width ? [{ v, i }] : []));
    const sums = all.filter(({ v }) => v.isSum);
    const used = [...all.filter(({ v }) => !v.isSum).slice(0, EQUATION_VARIABLES - sums.length), ...sums];
    if (used.length < 2 || vectors.length < used.length + 1) continue;
    const rows = vectors.map((vector) => [...used.map(({ i }) => vector[i]!), 1n]);
    const exact = nullSpace(rows);
    const modular = modularNullSpace(rows, width);
    // If no sum has wrapped they say the same, and the exact ones say it in smaller numbers.
    for (const solution of modular.length > exact.length ? [...exact, ...modular] : exact) {
      if (solution.slice(0, -1).filter((c) => c !== 0n).length < 2) continue;
      if (solution.some((c) => c > 1n << 20n || c < -(1n << 20n))) continue;
      const constant = (c: bigint): Term => L.bits(BigInt.asUintN(width, c), width);
      const sum = used
        .map(({ v }, k) => L.mul(v.term, constant(solution[k]!)))
        .reduce((x, y) => L.add(x, y), constant(solution[used.length]!));
      out.add(L.eq(sum, constant(0n)));
    }
  }
}

function fits(value: bigint, v: Observable): boolean {
  return v.signed
    ? value >= -(1n << BigInt(v.widthBits - 1)) && value < 1n << BigInt(v.widthBits - 1)
    : value >= 0n && value < 1n << BigInt(v.widthBits);
}
function minimum(values: readonly bigint[]): bigint {
  return values.reduce((a, b) => (b < a ? b : a));
}
function maximum(values: readonly bigint[]): bigint {
  return values.reduce((a, b) => (b > a ? b : a));
}
