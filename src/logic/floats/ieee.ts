/**
 * Rounded operations by the solver's own theory of floating point (SMT-LIB `FloatingPoint`, which is IEEE 754). An
 * axiom says of one operation that its result is the rounded one. It is a call of a name that only this file knows:
 * `ieee float-add-64(a, b, r)`. Solvers without the theory take it for any function, which is weaker, not wrong.
 *
 * All NaNs are one number there. A result that is a NaN therefore stays an arbitrary NaN.
 */
import { floatsDefined } from './floats';
import { thresholdOf } from './thresholds';
import { computedFloat, floatBits, floatLiteral, floatOf } from './patterns';
import { application, bits, freshSymbol, isApplication, widthOf } from '../intern';
import { not } from '../propositional';
import { boolSort } from '../sort';
import { substituteAll } from '../substitute';
import type { Application, SymbolTerm, Term, Value } from '../term';
import { postOrder } from '../traverse';

const prefix = 'ieee ';

/**
 * Bit-blasted operations that a query may have, in additions of binary32. Beyond them solvers rarely answer in seconds.
 */
const mostWork = 12;

/** Comparisons that a query is split by. Each makes one more case. */
const mostComparisons = 3;

/** Queries without arrays and functions, of which solvers know the floating-point operations. */
export interface IeeeQuery {
  /**
   * Each has the models of the terms in one case, and the cases are all there are. They may have further models, in
   * which a function has two values for the same operands.
   */
  readonly cases: readonly (readonly Term[])[];
  readonly axioms: readonly Term[];
  /** Symbols that stand for applications, whose functionality is given up. */
  readonly opened: ReadonlyMap<Term, SymbolTerm>;
}

/** Queries for a model of the terms by IEEE 754. Undefined if they are no use, or too much work. */
export function ieeeQuery(terms: readonly Term[]): IeeeQuery | undefined {
  const defined = terms.map(floatsDefined);
  const axioms = ieeeAxioms(defined);
  if (axioms.length === 0) return undefined;
  const compared = comparisonsIn(terms).map(floatsDefined);
  const all = [...defined, ...axioms, ...compared];
  const opened = new Map<Term, SymbolTerm>();
  for (const t of postOrder(all)) {
    if (t.kind === 'forall' || t.kind === 'exists') return undefined;
    if (isOpened(t)) opened.set(t, standsFor(t));
  }
  const given = [...defined, ...axioms];
  const cases = [...compared.map((one, i) => [not(one), ...compared.slice(0, i)]), compared];
  return { cases: cases.map((one) => substituteAll([...given, ...one], opened)), axioms, opened };
}

/** Comparisons of rounded results, as far as they are no comparisons of an operand. */
function comparisonsIn(terms: readonly Term[]): readonly Term[] {
  const found = postOrder(terms, undefined, (t) => t.kind === 'forall' || t.kind === 'exists').filter(
    (t) =>
      isApplication(t, 'call') &&
      /^float-(?:eq|lt|le)-/.test(t.name!) &&
      !thresholdOf(t) &&
      t.args.some((arg) => operationsIn(floatsDefined(arg)).length > 0),
  );
  return found.length > mostComparisons ? [] : found;
}

function isOpened(t: Term): boolean {
  if (t.kind !== 'apply' || isIeeeAxiom(t)) return false;
  if (t.operator === 'call' || t.operator === 'select') return true;
  return t.sort.kind === 'boolean' && t.args.some(({ sort }) => sort.kind === 'array');
}

const symbols = new WeakMap<Term, SymbolTerm>();

function standsFor(t: Term): SymbolTerm {
  let found = symbols.get(t);
  if (!found) symbols.set(t, (found = freshSymbol('application', t.sort)));
  return found;
}

/** The axioms of the operations in the terms whose definition leaves them open; none if they are too many. */
export function ieeeAxioms(terms: readonly Term[]): readonly Term[] {
  const operations = [...new Set(terms.flatMap(operationsIn))];
  const work = operations.reduce((sum, operation) => sum + workOf(operation), 0);
  return work > mostWork ? [] : operations.map(axiomOf);
}

const operationsOf = new WeakMap<Term, readonly Application[]>();

function operationsIn(term: Term): readonly Application[] {
  let found = operationsOf.get(term);
  if (!found) {
    const isQuantified = (t: Term): boolean => t.kind === 'forall' || t.kind === 'exists';
    found = postOrder([term], undefined, isQuantified).filter(
      (t): t is Application => isApplication(t, 'call') && operationText(t, ['', '']) !== undefined,
    );
    operationsOf.set(term, found);
  }
  return found;
}

const axiomOf = (operation: Application): Term =>
  application('call', boolSort, [...operation.args, operation], [], `${prefix}${operation.name}`);

/** Circuits of binary64 are a few times as large, and take many times as long. */
const workOfLong = 6;

function workOf({ name, args, sort }: Application): number {
  const long = sort.kind === 'bits' && sort.width === 64 ? workOfLong : 1;
  const byLiteral = args.some((arg) => arg.kind === 'bits');
  if (name!.startsWith('float-multiply')) return (byLiteral ? 1.5 : 3) * long;
  return (/^float-(?:divide|sqrt)/.test(name!) ? 6 : 1) * long;
}

/** SMT-LIB text of an axiom; undefined for other calls. */
export function ieeeText(call: Application, texts: readonly string[]): string | undefined {
  const operation = operationWithin(call);
  return operation && `(= ${numberOf(texts.at(-1)!, widthOf(operation))} ${operationText(operation, texts)!})`;
}

/** True if the term has an axiom in it, and so needs the theory. */
export const isIeeeAxiom = (t: Term): boolean => isApplication(t, 'call') && t.name!.startsWith(prefix);

/** The operation that an axiom is about, with the operands that it has there. */
function operationWithin({ name, args }: Application): Application | undefined {
  if (!name?.startsWith(prefix)) return undefined;
  return application('call', args.at(-1)!.sort, args.slice(0, -1), [], name.slice(prefix.length)) as Application;
}

const theory: Readonly<Record<string, string>> = { 32: '8 24', 64: '11 53' };
const numberOf = (text: string, width: number | string): string => `((_ to_fp ${theory[width]!}) ${text})`;

const arithmetic: Readonly<Record<string, string>> = { add: 'add', subtract: 'sub', multiply: 'mul', divide: 'div' };

function operationText({ name, args }: Application, [a, b]: readonly string[]): string | undefined {
  const binary = /^float-(add|subtract|multiply|divide)-(32|64)$/.exec(name!);
  if (binary) {
    const [, operator, width] = binary;
    return `(fp.${arithmetic[operator!]!} RNE ${numberOf(a!, width!)} ${numberOf(b!, width!)})`;
  }
  const root = /^float-sqrt-(32|64)$/.exec(name!);
  if (root) return `(fp.sqrt RNE ${numberOf(a!, root[1]!)})`;
  const scaled = /^float-(?:multiply|divide)-(32|64) subnormal$/.exec(name!);
  if (scaled) {
    const [width, exponent] = [scaled[1] === '32' ? 32 : 64, args[1]!] as const;
    if (exponent.kind !== 'bits') return undefined;
    const factor = floatBits(2 ** Number(BigInt.asIntN(width, exponent.value)), width);
    const text = `#x${factor.toString(16).padStart(width / 4, '0')}`;
    return `(fp.mul RNE ${numberOf(a!, width)} ${numberOf(text, width)})`;
  }
  if (name === 'convert-float32-float64 subnormal') return `((_ to_fp 11 53) RNE ${numberOf(a!, 32)})`;
  if (name === 'convert-float64-float32') return `((_ to_fp 8 24) RNE ${numberOf(a!, 64)})`;
  const ofInteger = /^convert-(u?)integer\d+-float(32|64)(?: rounded)?$/.exec(name!);
  if (!ofInteger) return undefined;
  return `((_ to_fp${ofInteger[1] === 'u' ? '_unsigned' : ''} ${theory[ofInteger[2]!]!}) RNE ${a})`;
}

/** The truth of an axiom on values; undefined for other calls. */
export function ieeeValue(call: Application, values: readonly Value[]): boolean | undefined {
  const operation = operationWithin(call);
  if (!operation) return undefined;
  const words = values as readonly bigint[];
  const name = operation.name!.replace(/ rounded$/, '');
  const operands = words.slice(0, -1);
  const literal = floatLiteral(
    name,
    operands.map((value, i) => bits(value, widthOf(operation.args[i]!))),
  );
  const expected = literal?.kind === 'bits' ? literal.value : computedFloat(name, operands);
  if (expected === undefined) return undefined;
  const isNaN = (value: bigint): boolean => Number.isNaN(floatOf(value, widthOf(operation)));
  return isNaN(expected) ? isNaN(words.at(-1)!) : expected === words.at(-1);
}
