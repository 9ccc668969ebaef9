/**
 * Candidates from the states seen (Daikon's idea; Houdini is the judge): constants, bounds, orders and differences
 * of two variables, linear equations, congruences, and the program's own conditions. Every candidate holds in all
 * samples; nothing here is believed.
 */
import { sizeOf } from '../../c/layout';
import * as L from '../../logic/build';
import { hasQuantifier } from '../../logic/quantifiers/instances';
import { symbolsOf } from '../../logic/symbols';
import type { Term } from '../../logic/term';
import type { Variable } from '../../program/expression';
import { passedFunctions } from '../../semantics/pointers/passedFunctions';
import type { Cutpoint } from '../transitionSystem/cutpoint';
import { invariantsAt, type InvariantMap } from '../transitionSystem/invariantMap';
import { allocatedSizes } from './allocatedSizes';
import { assumedOfClients, assumptionsAt } from './clientAssumptions';
import { lengthOf, sizeOfTarget, validTargets } from './pointerTargets';
import { phaseEquations } from './phaseEquations';
import { polynomialEquations } from './polynomials';
import { isCallableOrNull, kindsOfFunction } from '../../semantics/symbolic/functionPointerAssumptions';
import { fits, templates, withoutSums, maximum, minimum, pairs } from './numberTemplates';
import { accumulators } from './rounds/accumulators';
import { boundedGrowth } from './rounds/boundedGrowth';
import { branchConditionsAtLoops } from './conditions/branchConditions';
import { bufferBounds } from './conditions/bufferBounds';
import { conditionsIntoLoops } from './conditions/conditionsIntoLoops';
import { withoutUnshared } from './clientCalls';
import { clampedNumbers } from './rounds/clampedNumbers';
import { dividedNumbers } from './rounds/dividedNumbers';
import { nestedCounts } from './rounds/nestedCounts';
import { nestedSums } from './rounds/nestedSums';
import { comparedWithConstants, partitionedCandidates, steadyIn } from './caseSplits';
import { keptSums } from './rounds/keptSums';
import { remainingRounds } from './rounds/remainingRounds';
import { elementConditions } from './arrays/elementConditions';
import { floatBounds } from './floats/floatBounds';
import { assignedConditions } from './statics/assignedConditions';
import { elementCounts } from './statics/elementCounts';
import { staticConditions } from './statics/staticConditions';
import { ownedObjects } from './statics/ownedObjects';
import { staticTargets } from './statics/staticTargets';
import { firstTableValues } from './statics/firstTableValues';
import { storedBounds } from './statics/storedBounds';
import { sweptElements } from './arrays/sweptElements';
import { foundTexts } from './foundTexts';
import { conditionsOnTheWay } from './conditions/conditionsOnTheWay';
import { resultConditions } from './conditions/resultConditions';
import { multipliesElements } from './conditions/productsOfElements';
import { textEnds } from './textEnds';
import { textLengths } from './textLengths';
import type { Observable, Sample, Samples } from './samples';
import type { TransitionSystem } from '../transitionSystem/transitionSystem';
import { definedAt, definedObjects } from '../transitionSystem/definedness';

const limits = {
  basicConditionNodes: 7,
  boundsWithoutSamples: 8,
  /** Guards whose two sides are learned apart, and states a side must have before anything is guessed of it. */
  guards: 6,
  samplesOfSide: 3,
  guarded: 60,
} as const;

/**
 * `basic`: equations, orders, bounds and short conditions of the program, in all states, and bounds of sums; `extents`:
 * of pointers that walk, and what lies before and behind them, and of those that lead into static data; `plain`: also
 * congruences, distances, multiples and all conditions; `split`: what holds only on one side of a condition, as
 * implications; `modes`: what holds only for one value of a variable that has few, as implications; `chains`: of what
 * variables reach along links; `lengths`: of how much they reach; `sizes`: of blocks that nodes own; `nodes`: of
 * numbers in what they reach; `objects`: of all objects of a region, and of pointers, which rests on it; `shapes`:
 * those among them that no number in an object decides; `conditions`: that checks ask of an element, of all in a range,
 * and of static data; `elements`: of all elements of an array in a range; `texts`: that measured texts end early, and
 * the basic ones that rest on it; `curves`: polynomial equations, which make every question harder. Each is dearer to
 * check than the one before.
 */
export type CandidateKind =
  | 'basic'
  | 'conditions'
  | 'texts'
  | 'extents'
  | 'plain'
  | 'chains'
  | 'lengths'
  | 'sizes'
  | 'nodes'
  | 'objects'
  | 'shapes'
  | 'elements'
  | 'modes'
  | 'curves'
  | 'split';

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
    kind === 'conditions'
      ? [
          sweptElements(system),
          staticConditions(system),
          storedBounds(system, known),
          firstTableValues(system),
          elementCounts(system),
          assignedConditions(system),
          resultConditions(system, known),
          conditionsOnTheWay(system),
        ].reduce(
          (all, more) => both(all, more, system),
          elementConditions(system) as ReadonlyMap<Cutpoint, readonly Term[]>,
        )
      : undefined;
  const lengths = textLengths(system);
  if (kind === 'texts' && [...lengths.values()].every((terms) => terms.length === 0)) return result;
  // That a kept text ends within its buffer rests on the length of what is copied there.
  const isBasic = kind === 'basic' || kind === 'texts';
  const sums = isBasic
    ? [
        dividedNumbers(system),
        nestedCounts(system),
        nestedSums(system),
        keptSums(system),
        remainingRounds(system),
        clampedNumbers(system),
        boundedGrowth(system),
        conditionsIntoLoops(system),
      ].reduce((all, more) => both(all, more, system), accumulators(system) as ReadonlyMap<Cutpoint, readonly Term[]>)
    : undefined;
  const bounds = isBasic ? floatBounds(system) : undefined;
  const texts = isBasic ? both(textEnds(system), foundTexts(system), system) : undefined;
  const tested = isBasic ? conditionsOnTheWay(system) : undefined;
  const targets = kind === 'extents' ? staticTargets(system) : undefined;
  const branches = kind === 'split' ? branchConditionsAtLoops(system) : undefined;
  const owned = kind === 'objects' ? ownedObjects(system) : undefined;
  const room = kind === 'objects' ? bufferBounds(system) : undefined;
  for (const point of system.points) {
    if (conditions) {
      result.set(
        point,
        conditions.get(point)!.filter((term) => isNew(point)(term) && !multipliesElements(term)),
      );
      continue;
    }
    if (kind === 'elements') {
      result.set(point, samples.arrays?.candidates(point).filter(isNew(point)) ?? []);
      continue;
    }
    if (kind === 'extents') {
      const seen = samples.extents?.candidates(point, constants) ?? [];
      result.set(point, [...new Set([...(targets?.get(point) ?? []), ...seen])].filter(isNew(point)));
      continue;
    }
    if (kind === 'chains') {
      result.set(point, samples.chains?.candidates(point).filter(isNew(point)) ?? []);
      continue;
    }
    if (kind === 'lengths') {
      result.set(point, samples.chains?.lengths(point).filter(isNew(point)) ?? []);
      continue;
    }
    if (kind === 'sizes') {
      result.set(point, samples.chains?.sizes(point).filter(isNew(point)) ?? []);
      continue;
    }
    if (kind === 'nodes') {
      result.set(point, samples.chains?.numbers(point).filter(isNew(point)) ?? []);
      continue;
    }
    if (kind === 'shapes') {
      result.set(point, samples.objects?.shapes(point).filter(isNew(point)) ?? []);
      continue;
    }
    if (kind === 'objects') {
      const seen = samples.objects?.candidates(point, constants) ?? [];
      const ofPoint = [...(owned?.get(point) ?? []), ...seen];
      // Bounds rest on how large the objects are.
      const all = ofPoint.length === 0 ? [] : [...(room?.get(point) ?? []), ...ofPoint];
      result.set(point, [...new Set(all)].filter(isNew(point)));
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
    for (const { term, value } of samples.uniformTruths(point)) {
      if (lengths.get(point)?.includes(term)) continue;
      if (isBasic && lengthOf(term) > limits.basicConditionNodes && !texts?.get(point)?.includes(term)) continue;
      // That some part of a conjunction fails is no candidate worth having.
      if (value) plain.add(term);
      else if (term.kind !== 'apply' || term.operator !== 'and') plain.add(L.not(term));
    }
    const seen = samples.of(point);
    const observables = samples.observablesOf(point);
    const vectors = seen.map(({ values }) => values);
    if (vectors.length > 0) templates(observables, vectors, constants, plain, isBasic);
    let terms = plain;
    if (compared)
      terms = new Set(
        partitionedCandidates(seen, observables, compared, plain, steadyIn(system, point), (mode, some) =>
          heldInMode(mode, some, samples.watchedAt(point), observables, constants),
        ),
      );
    if (kind === 'split') {
      terms = new Set(plain);
      const watched = samples.watchedAt(point);
      if (vectors.length > 0) guardedCandidates(seen, watched, observables, constants, terms);
      for (const term of phaseEquations(seen, watched, branches?.get(point) ?? [], observables)) terms.add(term);
      for (const term of plain) terms.delete(term);
    }
    if (kind === 'texts')
      for (const term of lengths.get(point) ?? []) if (!isRefuted(term, point, samples)) terms.add(term);
    for (const term of sums?.get(point) ?? []) terms.add(term);
    for (const term of bounds?.get(point) ?? []) terms.add(term);
    for (const term of tested?.get(point) ?? []) terms.add(term);
    const invariants = new Set(invariantsAt(known, point));
    result.set(
      point,
      [...terms].filter((term) => term !== L.TRUE && !invariants.has(term)),
    );
  }
  whereNoRunCame(system, known, samples, constants, kind, result);
  if (isBasic)
    for (const [point, terms] of assumedOfClients(system))
      result.set(point, [...new Set([...terms.filter(isNew(point)), ...(result.get(point) ?? [])])]);
  if (kind === 'chains') besideLists(system, known, samples, result);
  shareAcrossCalls(system, known, result, kind === 'modes' ? 'everywhere' : 'where clients come and go');
  withoutUnshared(system, result);
  return result;
}

const isRefuted = (term: Term, point: Cutpoint, samples: Samples): boolean =>
  samples.of(point).length > 0 && !samples.uniformTruths(point).some((one) => one.term === term && one.value);

/**
 * Checks beside lists, as of an index into the array of their heads or of a pointer that takes the value found, mostly
 * rest on conditions that were tested, or assumed of clients, and that nothing changes. These few are settled soon. All
 * candidates about numbers would take long beside those about lists.
 */
function besideLists(
  system: TransitionSystem,
  known: InvariantMap,
  samples: Samples,
  candidates: Map<Cutpoint, Term[]>,
): void {
  if (!system.points.some((point) => candidates.get(point)!.length > 0)) return;
  const tested = conditionsOnTheWay(system);
  for (const point of system.points) {
    if (point.kind === 'exit') continue;
    const takesPointers = point.fn.parameters.some(({ type }) => type.kind === 'pointer');
    const assumed = takesPointers ? assumptionsAt(point, system) : [];
    const found = [...assumed, ...(tested.get(point) ?? []), ...(samples.chains?.targets(point) ?? [])].filter(
      (term) => !hasQuantifier(term) && !invariantsAt(known, point).includes(term),
    );
    candidates.set(point, [...new Set([...candidates.get(point)!, ...found])]);
  }
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
        ? elsewhere.flatMap((other) => samples.arrays?.carry(other, point) ?? [])
        : elsewhere.flatMap((other) => [...invariantsAt(known, other), ...candidates.get(other)!]);
    if (kind === 'basic' || kind === 'texts')
      tried.push(...withoutSums(samples.observablesOf(point)).flatMap((v) => boundsOf(v, constants)));
    candidates.set(
      point,
      [...new Set([...candidates.get(point)!, ...tried])].filter((term) => !invariantsAt(known, point).includes(term)),
    );
  }
}

function boundsOf(v: Observable, constants: readonly bigint[]): Term[] {
  const le = v.signed ? L.sle : L.ule;
  const literal = (value: bigint): Term => L.bits(BigInt.asUintN(v.widthBits, value), v.widthBits);
  return [
    ...(v.signed ? [le(literal(0n), v.term)] : []),
    ...constants
      .filter((c) => c > 0n && fits(c, v))
      .slice(-limits.boundsWithoutSamples)
      .map((c) => le(v.term, literal(c))),
  ];
}

/**
 * Candidates between two calls are tried at every function that a client calls, where it begins and where it returns: a
 * function that resets a variable to zero suggests bounds of its own for it, and would otherwise guarantee nothing
 * about those that all others keep. Candidates about a mode must hold on the way, too, where few states of it were
 * seen.
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

/**
 * Trace partitioning, one level: what holds of the states in which a watched formula is true, or false, and not of all,
 * as an implication. Formulas that split the samples most evenly come first.
 */
function guardedCandidates(
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
    .filter(({ balance }) => balance >= limits.samplesOfSide)
    .sort((a, b) => b.balance - a.balance || a.i - b.i)
    .slice(0, limits.guards);
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
        if (candidate === guard || out.has(candidate) || count++ >= limits.guarded) continue;
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
  for (const term of truthCandidates(watched, seen)) found.add(term);
  return found;
}

/** Watched formulas that are true in all of the states, and negations of those that are false. */
function truthCandidates(watched: readonly Term[], seen: readonly Sample[]): Term[] {
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
  for (const term of truthCandidates(watched, seen))
    if (lengthOf(term) <= limits.basicConditionNodes && [...symbolsOf(term)].every((symbol) => !settled.has(symbol)))
      found.add(term);
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
      const size = sizeOfTarget(variable, point, system);
      const unit = variable.ctype?.kind === 'pointer' ? (sizeOf(variable.ctype.to, system.program.dataModel) ?? 1) : 1;
      const about: Term[] = [
        L.select(vocabulary.symbolOf(memoryModel.live), object),
        ...validTargets(variable, point, system),
        L.ult(half(memoryModel.lastStatic), object),
        L.select(vocabulary.symbolOf(memoryModel.heap), object),
        L.eq(offset, half(0)),
        L.sle(half(unit), size),
        ...sizes.map((bytes) => L.eq(size, half(bytes))),
        ...leastFrameSize(system, variable, point).map((bytes) => L.sle(half(bytes), size)),
        ...ownBlocks(system, variable).map((site) =>
          L.eq(L.select(vocabulary.symbolOf(memoryModel.allocationSite), object), half(site)),
        ),
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

/** Numbers that tell blocks of the module from clients' memory, where the variable leads to both. */
function ownBlocks({ memoryModel }: TransitionSystem, variable: Variable): readonly bigint[] {
  const target = memoryModel.regions.pointee({ kind: 'read', type: variable.type, variable });
  const kinds = new Set([...(target?.node.origins ?? [])].map(({ kind }) => kind));
  return target && kinds.has('heap') && kinds.has('external') ? [memoryModel.allocationSiteOf(target.node)] : [];
}

/** The size of the smallest of the automatic objects of others that the variable may lead to, if there are any. */
function leastFrameSize({ memoryModel }: TransitionSystem, variable: Variable, { fn }: Cutpoint): readonly bigint[] {
  const target = memoryModel.regions.pointee({ kind: 'read', type: variable.type, variable });
  const sizes = [...(target?.node.origins ?? [])].flatMap((origin) =>
    origin.kind === 'frame' && origin.function !== fn ? [origin.object.sizeBytes] : [],
  );
  return sizes.length === 0 ? [] : [BigInt(Math.min(...sizes))];
}
