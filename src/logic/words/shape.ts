/**
 * Extraction and concatenation of words. A concatenation is n-ary, highest part first. Neighbouring literals and
 * neighbouring extracts of one word are joined; a leading zero is a zero-extension. Extraction moves through every
 * operator whose selected bits depend on parts of the operands.
 */
import { bitwise } from './bitwise';
import { ite } from '../conditional';
import { application, bits, isApplication, widthOf } from '../intern';
import { add, complement, mul } from './linear';
import { bitsSort } from '../sort';
import type { Application, Term } from '../term';
import { extractBits, type Signedness, toSigned } from './words';

export function concat(high: Term, low: Term): Term {
  return concatenate([high, low]);
}

/** Parts, highest first; at least one. */
export function concatenate(terms: readonly Term[]): Term {
  const parts: Term[] = [];
  for (const part of terms.flatMap(partsOf)) {
    const last = parts[parts.length - 1];
    const joined = last && joinedParts(last, part);
    if (joined) parts[parts.length - 1] = joined;
    else parts.push(part);
  }
  if (parts.length === 1) return parts[0]!;
  const width = parts.reduce((sum, part) => sum + widthOf(part), 0);
  const first = parts[0]!;
  if (first.kind === 'bits' && first.value === 0n) {
    const rest =
      parts.length === 2 ? parts[1]! : application('concat', bitsSort(width - widthOf(first)), parts.slice(1));
    return application('zero-extend', bitsSort(width), [rest], [widthOf(first)]);
  }
  return application('concat', bitsSort(width), parts);
}

function joinedParts(high: Term, low: Term): Term | undefined {
  if (high.kind === 'bits' && low.kind === 'bits') {
    const width = widthOf(low);
    return bits((high.value << BigInt(width)) | low.value, widthOf(high) + width);
  }
  if (
    isApplication(high, 'extract') &&
    isApplication(low, 'extract') &&
    high.args[0] === low.args[0] &&
    high.parameters[1] === low.parameters[0]! + 1
  ) {
    return extract(high.parameters[0]!, low.parameters[1]!, high.args[0]!);
  }
  return undefined;
}

/** A word as a concatenation, highest part first. */
export function partsOf(term: Term): readonly Term[] {
  if (isApplication(term, 'concat')) return term.args;
  if (isApplication(term, 'zero-extend')) return [bits(0, term.parameters[0]!), ...partsOf(term.args[0]!)];
  return [term];
}

export function zeroExtend(t: Term, toWidth: number): Term {
  const added = extensionBy(t, toWidth);
  if (added === 0) return t;
  if (t.kind === 'bits') return bits(t.value, toWidth);
  if (isApplication(t, 'zero-extend')) return zeroExtend(t.args[0]!, toWidth);
  const literals = literalBranches(t);
  if (literals)
    return ite(literals.condition, zeroExtend(literals.then, toWidth), zeroExtend(literals.otherwise, toWidth));
  return application('zero-extend', bitsSort(toWidth), [t], [added]);
}

export function signExtend(t: Term, toWidth: number): Term {
  const added = extensionBy(t, toWidth);
  if (added === 0) return t;
  if (t.kind === 'bits') return bits(toSigned(t.value, widthOf(t)), toWidth);
  if (isApplication(t, 'sign-extend')) return signExtend(t.args[0]!, toWidth);
  if (isApplication(t, 'zero-extend')) return zeroExtend(t.args[0]!, toWidth);
  const literals = literalBranches(t);
  if (literals)
    return ite(literals.condition, signExtend(literals.then, toWidth), signExtend(literals.otherwise, toWidth));
  return application('sign-extend', bitsSort(toWidth), [t], [added]);
}

function extensionBy(t: Term, toWidth: number): number {
  const added = toWidth - widthOf(t);
  if (added < 0) throw new RangeError(`a word of ${widthOf(t)} bits does not extend to ${toWidth}`);
  return added;
}

/** Bits high..low, both included. */
export function extract(high: number, low: number, t: Term): Term {
  const width = widthOf(t);
  if (!(0 <= low && low <= high && high < width)) throw new RangeError(`bits ${high}..${low} of a word of ${width}`);
  if (low === 0 && high === width - 1) return t;
  if (t.kind === 'bits') return bits(extractBits(t.value, high, low), high - low + 1);
  if (t.kind === 'apply') {
    const through = extractThrough(high, low, t);
    if (through) return through;
  }
  return application('extract', bitsSort(high - low + 1), [t], [high, low]);
}

function extractThrough(high: number, low: number, t: Application): Term | undefined {
  const a = t.args[0]!;
  switch (t.operator) {
    case 'extract':
      return extract(high + t.parameters[1]!, low + t.parameters[1]!, a);
    case 'concat':
      return extractParts(high, low, t.args);
    case 'zero-extend': {
      const inner = widthOf(a);
      if (low >= inner) return bits(0, high - low + 1);
      return zeroExtend(extract(Math.min(high, inner - 1), low, a), high - low + 1);
    }
    case 'sign-extend': {
      const inner = widthOf(a);
      return signExtend(extract(Math.min(high, inner - 1), Math.min(low, inner - 1), a), high - low + 1);
    }
    case 'ite': {
      const literals = literalBranches(t);
      return (
        literals && ite(literals.condition, extract(high, low, literals.then), extract(high, low, literals.otherwise))
      );
    }
    case 'complement':
      return cheapToCut(a) ? complement(extract(high, low, a)) : undefined;
    case 'bit-and':
    case 'bit-or':
    case 'bit-xor':
      return t.args.length <= 3 && t.args.every(cheapToCut)
        ? bitwise(
            t.operator,
            t.args.map((x) => extract(high, low, x)),
          )
        : undefined;
    case 'add':
    case 'multiply': {
      // The low bits of a sum or product need only the low bits of the operands.
      if (low > 0 || t.args.length > 8 || !t.args.every((x) => cheapToCut(x) || isMonomialOfCheap(x))) return undefined;
      const operands = t.args.map((x) => extract(high, 0, x));
      return t.operator === 'add' ? add(...operands) : mul(...operands);
    }
    default:
      return undefined;
  }
}

/** Words whose extracts are no larger than the whole. */
function cheapToCut(t: Term): boolean {
  return (
    t.kind === 'bits' ||
    isApplication(t, 'zero-extend') ||
    isApplication(t, 'sign-extend') ||
    isApplication(t, 'concat') ||
    literalBranches(t) !== undefined
  );
}

function isMonomialOfCheap(t: Term): boolean {
  return isApplication(t, 'multiply') && t.args.length === 2 && t.args.every(cheapToCut);
}

function extractParts(high: number, low: number, parts: readonly Term[]): Term {
  const chosen: Term[] = [];
  let above = 0; // bits of the parts below the current one, counted from the lowest part
  for (let i = parts.length - 1; i >= 0; i--) {
    const part = parts[i]!;
    const width = widthOf(part);
    const [from, to] = [Math.max(low - above, 0), Math.min(high - above, width - 1)];
    if (from <= to) chosen.unshift(extract(to, from, part));
    above += width;
  }
  return concatenate(chosen);
}

function literalBranches(t: Term): { condition: Term; then: Term; otherwise: Term } | undefined {
  if (!isApplication(t, 'ite')) return undefined;
  const [condition, then, otherwise] = t.args;
  return then!.kind === 'bits' && otherwise!.kind === 'bits' ? { condition: condition!, then, otherwise } : undefined;
}

/** A word's lowest bits, or the word extended as its reading says. */
export function resize(term: Term, width: number, signedness: Signedness): Term {
  const own = widthOf(term);
  if (own === width) return term;
  if (own > width) return extract(width - 1, 0, term);
  return signedness === 'signed' ? signExtend(term, width) : zeroExtend(term, width);
}
