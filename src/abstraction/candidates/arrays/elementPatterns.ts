/**
 * Patterns of elements that candidates about arrays are fitted to: an array that the program reads, the place in it by
 * a counter, and the constants that lengths are given by.
 */
import * as L from '../../../logic/build';
import { compile, type Compiled } from '../../../logic/compile';
import { fromLinear, linearOf } from '../../../logic/words/linear';
import { substitute, symbolsOf } from '../../../logic/substitute';
import { postOrder } from '../../../logic/traverse';
import type { Operator, SymbolTerm, Term } from '../../../logic/term';
import { expressionsOf, walk } from '../../../program/traverse';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import { computable } from '../../predicates/defaultPredicates';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { bytesOf, cellsIn } from '../../../semantics/pointers/slotLayout';
import type { Vocabulary } from '../../../semantics/symbolic/vocabulary';

const limits = {
  /** Cells of an array, of which a candidate holds as a whole, that are looked at for their distances. */
  wholeArrayCells: 4096,
  /** Arrays of which a candidate holds as a whole. */
  wholeArrays: 3,
  /** Numbers that variables are compared with. */
  constants: 5,
} as const;

/**
 * The elements of an array by a number: `element` is a read at a place that depends on `bound`; or a condition of the
 * program on such reads.
 */
export interface Pattern {
  readonly bound: SymbolTerm;
  readonly signedBound: boolean;
  readonly element: Term;
  readonly value: Compiled;
  readonly signed: boolean;
  readonly widthBits: number;
  readonly of: 'contents' | 'writing' | 'condition';
  /** Variables that name elements. */
  readonly counters: ReadonlySet<Term>;
  /** Variables of a function that the element depends on. */
  readonly locals: ReadonlySet<Term>;
  /** Elements of an array that is spoken of as a whole. */
  readonly count?: number;
}

/** Not what elements are, but whether something holds of them. */
export const isTruth = ({ of }: Pattern): boolean => of !== 'contents';

/**
 * Reads and writes of integers in memory at places that depend on an integer variable, and conditions on such reads.
 */
export function patternsOf(system: TransitionSystem): Pattern[] {
  const { vocabulary, memoryModel } = system;
  const arrays = new Map(
    memoryModel.variables.flatMap((memory): (readonly [Term, About])[] => {
      const { role } = memory;
      const symbol = vocabulary.symbolOf(memory);
      if (
        symbol.kind === 'symbol' &&
        role.kind === 'written' &&
        (role.addressing === 'by-offset' || role.addressing === 'by-object-and-offset')
      )
        return [[symbol, { widthBits: 1, signed: false, of: 'writing' }]];
      if (
        symbol.kind !== 'symbol' ||
        role.kind !== 'slot' ||
        role.part !== 'value' ||
        (role.addressing !== 'by-offset' && role.addressing !== 'by-object-and-offset')
      )
        return [];
      if (role.slot !== 'byte' && (role.slot.type.kind !== 'integer' || role.slot.type.widthBits > 64)) return [];
      const { widthBits, signed } =
        role.slot === 'byte'
          ? { widthBits: 8, signed: false }
          : (role.slot.type as { readonly widthBits: number; readonly signed: boolean });
      return [[symbol, { widthBits, signed, of: 'contents' }]];
    }),
  );
  if (arrays.size === 0) return [];
  const terms = system.transitions.flatMap(({ segment, from, ends }) =>
    segment && from
      ? [
          ...ends.flatMap(({ guard, state }) => [guard, ...state.memory.contents]),
          ...segment.obligations.flatMap(({ guard, condition }) => [guard, condition]),
        ]
      : [],
  );
  const all = [...postOrder(terms)];
  const overflows = new Set(
    postOrder(
      system.transitions.flatMap(
        ({ segment }) =>
          segment?.obligations.flatMap(({ check, condition }) =>
            check.check === 'signed-overflow' ? [condition] : [],
          ) ?? [],
      ),
    ),
  );
  // That a sum does not overflow says of its other operand what it says of the element.
  const conditions = conditionsIn(
    all,
    arrays,
    vocabulary,
    (condition, { locals }) => !overflows.has(condition) || locals.size === 0,
  );
  return [...wholesIn(all, arrays, system), ...placesIn(all, arrays, vocabulary), ...conditions];
}

/**
 * Arrays of which no single variable names the elements: tables of two dimensions, and what pointers walk through. Each
 * element is one by its number.
 */
function wholesIn(
  terms: readonly Term[],
  arrays: ReadonlyMap<Term, About>,
  { memoryModel, vocabulary }: TransitionSystem,
): Pattern[] {
  const found = new Set<Term>();
  for (const t of terms) {
    if (!L.isApplication(t, 'select') && !L.isApplication(t, 'store')) continue;
    const base = baseOf(t.args[0]!);
    if (
      arrays.get(base)?.of === 'contents' &&
      !found.has(base) &&
      (countersIn(t.args[1]!, vocabulary).length > 1 || isWalked(t.args[1]!, vocabulary))
    )
      found.add(base);
  }
  return [...found].slice(0, limits.wholeArrays).flatMap((contents): Pattern[] => {
    const { role } = memoryModel.variables.find((memory) => vocabulary.symbolOf(memory) === contents)!;
    if (role.kind !== 'slot' || (role.single?.kind !== 'static' && role.single?.kind !== 'frame')) return [];
    const layout = memoryModel.regions.layout(role.node);
    const { sizeBytes } = role.single.object;
    const cells = cellsIn(layout, role.slot, sizeBytes, limits.wholeArrayCells + 1);
    if (cells.length < 2) return [];
    const stride = cells[1]! - cells[0]!;
    if (cells.some((cell, i) => cell !== cells[0]! + i * stride)) return [];
    const isRegular = layout.kind === 'bytes' || layout.stride === stride;
    if (cells.length > limits.wholeArrayCells && !isRegular) return [];
    const count = isRegular ? 1 + Math.floor((sizeBytes - cells[0]! - bytesOf(role.slot)) / stride) : cells.length;
    const bound = L.symbol('?n', memoryModel.halfSort);
    const element = L.select(
      contents,
      L.add(L.mul(L.bits(BigInt(stride), memoryModel.half), bound), L.bits(BigInt(cells[0]!), memoryModel.half)),
    );
    return [
      {
        ...arrays.get(contents)!,
        bound,
        signedBound: false,
        value: compile(element),
        element,
        counters: new Set(),
        locals: new Set<Term>(),
        count,
      },
    ];
  });
}

/** A pointer's place in its object decides. */
function isWalked(place: Term, vocabulary: Vocabulary): boolean {
  return [...symbolsOf(place)].some((symbol) => {
    const meaning = vocabulary.meaning(symbol);
    return meaning?.kind === 'variable' && meaning.part === 'offset';
  });
}

const speaksOfState = (term: Term, vocabulary: Vocabulary): boolean =>
  [...symbolsOf(term)].every((symbol) => vocabulary.meaning(symbol));

function placesIn(terms: readonly Term[], arrays: ReadonlyMap<Term, About>, vocabulary: Vocabulary): Pattern[] {
  const found = new Map<Term, { readonly size: bigint; readonly pattern: Pattern }>();
  for (const t of terms) {
    if (!L.isApplication(t, 'select') && !L.isApplication(t, 'store')) continue;
    const [base, index] = [baseOf(t.args[0]!), t.args[1]!];
    const about = arrays.get(base);
    // Uninterpreted functions cannot be computed where runs are looked at.
    if (
      !about ||
      !speaksOfState(index, vocabulary) ||
      [...postOrder([index])].some((part) => L.isApplication(part, 'call'))
    )
      continue;
    for (const counted of countersIn(index, vocabulary)) {
      const pattern = patternOf(L.select(base, index), counted, about);
      // The element before the one that a variable names is one of the same elements.
      const { key, size } = withoutConstant(base, substitute(index, new Map([[counted.symbol, pattern.bound]])));
      const known = found.get(key);
      const counters = new Set([...(known?.pattern.counters ?? []), ...pattern.counters]);
      found.set(
        key,
        !known || size < known.size
          ? { size, pattern: { ...pattern, counters } }
          : { ...known, pattern: { ...known.pattern, counters } },
      );
    }
  }
  return [...found.values()].map(({ pattern }) => pattern);
}

/** Conditions of the program on one element may hold of all, or of none. */
function conditionsIn(
  terms: readonly Term[],
  arrays: ReadonlyMap<Term, About>,
  vocabulary: Vocabulary,
  isTelling: (condition: Term, pattern: Pattern) => boolean,
): Pattern[] {
  const found = new Map<Term, Pattern>();
  for (const t of terms) {
    if (!isComparison(t) || !computable(t) || !speaksOfState(t, vocabulary)) continue;
    const reads = [...postOrder([t])].flatMap((part) =>
      L.isApplication(part, 'select') ? [part.args as readonly [Term, Term]] : [],
    );
    if (reads.some(([array]) => arrays.get(array)?.of !== 'contents')) continue;
    for (const counted of reads.flatMap(([, index]) => countersIn(index, vocabulary))) {
      const pattern = patternOf(t, counted, { widthBits: 1, signed: false, of: 'condition' });
      if (isTelling(t, pattern))
        found.set(pattern.element, {
          ...pattern,
          counters: new Set([...(found.get(pattern.element)?.counters ?? []), ...pattern.counters]),
        });
    }
  }
  return [...found.values()];
}

type About = Pick<Pattern, 'widthBits' | 'signed' | 'of'>;

interface Counted {
  readonly symbol: Term;
  readonly widthBits: number;
  readonly signed: boolean;
}

/** Integer variables that a place depends on. */
function countersIn(place: Term, vocabulary: Vocabulary): Counted[] {
  return [...symbolsOf(place)].flatMap((symbol) => {
    const meaning = vocabulary.meaning(symbol);
    if (
      meaning?.kind !== 'variable' ||
      meaning.part !== 'value' ||
      meaning.variable.type.kind !== 'integer' ||
      meaning.variable.type.widthBits < 32 ||
      meaning.variable.type.widthBits > 64
    )
      return [];
    return [{ symbol, widthBits: meaning.variable.type.widthBits, signed: meaning.variable.type.signed }];
  });
}

function patternOf(read: Term, { symbol, widthBits, signed }: Counted, about: About): Pattern {
  // The name of no variable.
  const bound = L.symbol(`?k${signed ? '' : 'u'}`, L.bitsSort(widthBits));
  const element = substitute(read, new Map([[symbol, bound]]));
  return {
    ...about,
    bound,
    signedBound: signed,
    value: compile(element),
    element,
    counters: new Set([symbol]),
    locals: new Set<Term>([...symbolsOf(element)].filter((s) => s !== bound)),
  };
}

const comparisons: ReadonlySet<string> = new Set([
  'eq',
  'unsigned-less',
  'unsigned-less-equal',
  'signed-less',
  'signed-less-equal',
] satisfies Operator[]);

const isComparison = (term: Term): boolean => term.kind === 'apply' && comparisons.has(term.operator);

function withoutConstant(array: Term, place: Term): { readonly key: Term; readonly size: bigint } {
  const high = L.isApplication(place, 'concat') ? place.args.slice(0, -1) : [];
  const low = linearOf(L.isApplication(place, 'concat') ? place.args[place.args.length - 1]! : place);
  const rest = fromLinear({ ...low, constant: 0n });
  const size = BigInt.asIntN(low.width, low.constant);
  return {
    key: L.select(array, high.length === 0 ? rest : [...high, rest].reduce((a, b) => L.concat(a, b))),
    size: size < 0n ? -size : size,
  };
}

function baseOf(array: Term): Term {
  let base = array;
  while (L.isApplication(base, 'store') || L.isApplication(base, 'ite'))
    base = base.args[base.kind === 'apply' && base.operator === 'ite' ? 1 : 0]!;
  return base;
}

/** True if the symbol can name a place at the point. */
export function isNamedAt(point: Cutpoint, symbol: Term, system: TransitionSystem): boolean {
  const meaning = system.vocabulary.meaning(symbol);
  switch (meaning?.kind) {
    case undefined:
      return false;
    case 'memory':
      return true;
    case 'object':
      return (
        meaning.function === point.fn && point.kind !== 'entry' && point.kind !== 'exit' && point.kind !== 'module'
      );
    case 'variable': {
      if (meaning.variable.scope === 'global') return true;
      if (meaning.function !== point.fn || point.kind === 'module') return false;
      return (point.kind !== 'entry' && point.kind !== 'exit') || point.fn.parameters.includes(meaning.variable);
    }
  }
}

/** Numbers of elements that the program may go up to: what it compares with. */
export function lengthConstantsOf(system: TransitionSystem): readonly number[] {
  const found = new Set<number>();
  for (const fn of system.functions) {
    for (const { command } of fn.edges) {
      if (command.kind === 'check' && command.check === 'signed-overflow') continue;
      for (const e of expressionsOf(command))
        walk(e, (node) => {
          if (node.kind !== 'compare') return;
          for (const side of [node.left, node.right])
            if (side.kind === 'integer' && side.value >= 2n && side.value <= 1_000_000n) found.add(Number(side.value));
        });
    }
  }
  return [...found].sort((a, b) => a - b).slice(0, limits.constants);
}
