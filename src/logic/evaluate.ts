/**
 * Evaluates terms without a solver. Every subterm is computed once and without recursion, so terms may be shared and
 * deep. A quantifier is evaluated by enumeration if its symbols have few values, by their width or by bounds in the
 * body (`0 <= k and k < n` implies). Otherwise, and for uninterpreted functions without a meaning, evaluation throws
 * `NotComputable`, which says nothing about the term.
 */
import { NotComputable } from './notComputable';
import { arrayValue, asArray, equalValues, readArray, writeArray } from './arrays/arrayValue';
import { candidatesFor, enumerationLimit } from './quantifiers/candidates';
import { computedFloat } from './floats/patterns';
import { floatValue } from './floats/floats';
import { ieeeValue } from './floats/ieee';
import { identityValue, linkCountedValue, linkWrittenValue } from './links/reachability';
import type { Application, ArraySort, Quantified, SymbolTerm, Term, Value } from './term';
import { isApplication } from './intern';
import { symbolsOf } from './symbols';
import { postOrder } from './traverse';
import * as words from './words/words';
import { unreachable } from '../unreachable';

export { NotComputable };

/** Bit-vectors are unsigned words. */
export type Assignment = (symbol: SymbolTerm) => Value;
/** The meaning of uninterpreted functions. */
export type Calls = (name: string, args: readonly Value[], term: Application) => Value;

const noSymbol = (): never => {
  throw new Error('a definition of literals has no symbols');
};

export function evaluate(term: Term, environment: Assignment, calls: Calls = noCalls): Value {
  const values = new Map<Term, Value>();
  evaluateInto(values, term, environment, calls);
  return values.get(term)!;
}

/** Like `evaluate`, but stores the values of all subterms in `values`, which serves one environment only. */
export function evaluateInto(
  values: Map<Term, Value>,
  term: Term,
  environment: Assignment,
  calls: Calls = noCalls,
): Value {
  const known = values.get(term);
  if (known !== undefined) return known;
  const isLeaf = (t: Term) => t.kind === 'forall' || t.kind === 'exists';
  const compute = (t: Term): Value => {
    switch (t.kind) {
      case 'boolean':
      case 'bits':
        return t.value;
      case 'symbol':
        return environment(t);
      case 'apply':
        return operate(
          t,
          t.args.map((a) => values.get(a)!),
          calls,
        );
      case 'forall':
      case 'exists':
        return evaluateQuantified(t, environment, calls);
    }
  };
  for (const t of postOrder([term], (s) => values.has(s), isLeaf)) values.set(t, compute(t));
  return values.get(term)!;
}

/** Floating-point operations as a machine computes them. */
function noCalls(name: string, args: readonly Value[]): Value {
  const value = /^(float|convert)-/.test(name) ? computedFloat(name, args as readonly bigint[]) : undefined;
  if (value !== undefined) return value;
  throw new NotComputable(`the function ${name} has no meaning here`);
}

function evaluateQuantified(term: Quantified, environment: Assignment, calls: Calls): boolean {
  let effort = enumerationLimit;
  const matters = term.bound.length > 1 ? term.bound.map((s) => decidedBy(s, term, environment, calls)) : [];
  const search = (position: number, chosen: ReadonlyMap<SymbolTerm, Value>): boolean => {
    const under: Assignment = (x) => chosen.get(x) ?? environment(x);
    const s = term.bound[position];
    if (!s) {
      if (effort-- <= 0) throw new NotComputable('the quantifier ranges over too much to try out');
      return evaluate(term.body, under, calls) === (term.kind === 'exists');
    }
    const later = new Set(term.bound.slice(position));
    const value = (t: Term) => ([...symbolsOf(t)].some((x) => later.has(x)) ? undefined : evaluate(t, under, calls));
    const candidates = candidatesFor(s, term, value)?.filter(matters[position] ?? (() => true));
    if (!candidates || candidates.length > effort)
      throw new NotComputable('the quantifier ranges over too much to try out');
    return candidates.some((candidate) => search(position + 1, new Map([...chosen, [s, candidate]])));
  };
  return search(0, new Map()) === (term.kind === 'exists');
}

/**
 * True for a value of one of several bound symbols, if the parts of the body about this symbol alone do not decide the
 * body. Combinations are tried of such values only.
 */
function decidedBy(
  s: SymbolTerm,
  { kind, bound, body }: Quantified,
  environment: Assignment,
  calls: Calls,
): (candidate: Value) => boolean {
  const joint = kind === 'exists' ? 'and' : 'or';
  const members = isApplication(body, joint) ? body.args : [body];
  const own = members.filter((member) => {
    const symbols = symbolsOf(member);
    return symbols.has(s) && !bound.some((other) => other !== s && symbols.has(other));
  });
  const known = new Map<Value, boolean>();
  return (candidate) => {
    let matters = known.get(candidate);
    if (matters === undefined) {
      const under: Assignment = (x) => (x === s ? candidate : environment(x));
      matters = own.every((member) => evaluate(member, under, calls) === (kind === 'exists'));
      known.set(candidate, matters);
    }
    return matters;
  };
}

/** One operator on values. */
export function operate(term: Application, args: readonly Value[], calls: Calls = noCalls): Value {
  const word = (i: number) => args[i] as bigint;
  const all = args as readonly bigint[];
  const width = widthOfFirst(term);
  const signed = (i: number) => words.toSigned(word(i), width);
  switch (term.operator) {
    case 'not':
      return !args[0];
    case 'and':
      return args.every((a) => a === true);
    case 'or':
      return args.some((a) => a === true);
    case 'eq':
      return equalValues(args[0]!, args[1]!, term.args[0]!.sort);
    case 'ite':
      return args[0] === true ? args[1]! : args[2]!;
    case 'negate':
      return words.wrap(-word(0), width);
    case 'complement':
      return words.allOnes(width) - word(0);
    case 'add':
      return words.wrap(
        all.reduce((a, b) => a + b),
        width,
      );
    case 'subtract':
      return words.wrap(
        all.reduce((a, b) => a - b),
        width,
      );
    case 'multiply':
      return all.reduce((a, b) => words.wrap(a * b, width));
    case 'unsigned-divide':
      return words.unsignedDivide(word(0), word(1), width);
    case 'unsigned-remainder':
      return words.unsignedRemainder(word(0), word(1));
    case 'signed-divide':
      return words.signedDivide(word(0), word(1), width);
    case 'signed-remainder':
      return words.signedRemainder(word(0), word(1), width);
    case 'bit-and':
      return all.reduce((a, b) => a & b);
    case 'bit-or':
      return all.reduce((a, b) => a | b);
    case 'bit-xor':
      return all.reduce((a, b) => a ^ b);
    case 'shift-left':
      return words.shiftLeft(word(0), word(1), width);
    case 'logical-shift-right':
      return words.logicalShiftRight(word(0), word(1), width);
    case 'arithmetic-shift-right':
      return words.arithmeticShiftRight(word(0), word(1), width);
    case 'unsigned-less':
      return word(0) < word(1);
    case 'unsigned-less-equal':
      return word(0) <= word(1);
    case 'signed-less':
      return signed(0) < signed(1);
    case 'signed-less-equal':
      return signed(0) <= signed(1);
    case 'concat':
      return term.args.reduce(
        (value, part, i) => (value << BigInt((part.sort as { width: number }).width)) | word(i),
        0n,
      );
    case 'extract':
      return words.extractBits(word(0), term.parameters[0]!, term.parameters[1]!);
    case 'zero-extend':
      return word(0);
    case 'sign-extend':
      return words.wrap(signed(0), width + term.parameters[0]!);
    case 'select':
      return readArray(asArray(args[0]!), word(1));
    case 'store':
      return writeArray(asArray(args[0]!), word(1), args[2]!, (term.sort as ArraySort).element);
    case 'constant-array':
      return arrayValue(args[0]!, [], (term.sort as ArraySort).element);
    case 'identity-relation':
      return identityValue((term.sort as ArraySort).index.width / 2);
    case 'link-written':
      return linkWrittenValue(
        asArray(args[0]!),
        word(1),
        word(2),
        args[3] === true,
        (term.sort as ArraySort).index.width / 2,
      );
    case 'link-counted':
      return linkCountedValue(asArray(args[0]!), asArray(args[1]!), {
        object: word(2),
        target: word(3),
        isLink: args[4] === true,
        width: (term.sort as ArraySort).index.width,
      });
    case 'call':
      return (
        ieeeValue(term, args) ??
        floatValue(term.name!, term.args, args as readonly bigint[], (rest) => evaluate(rest, noSymbol, calls)) ??
        calls(term.name!, args, term)
      );
    default:
      return unreachable(term.operator);
  }
}

function widthOfFirst(term: Application): number {
  const sort = term.args[0]?.sort;
  return sort?.kind === 'bits' ? sort.width : 0;
}
