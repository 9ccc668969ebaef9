/**
 * Formulas over integers as formulas over the words that the integers stood for. An inequality of several unknowns is
 * meant over the integers, so it is written in words wide enough for it (`exact`), and again in the arithmetic of the
 * words themselves (`modular`), which survives where they wrap. What is written in either way is a guess.
 */
import * as L from '../../logic/build';
import type { SymbolTerm, Term } from '../../logic/term';
import { plus, type IntegerFormula, type LinearSum } from './hornModel';

type ReadingOf = (symbol: SymbolTerm) => L.Signedness;
type Arithmetic = 'exact' | 'modular';

/** All the ways in which the conjuncts can be read. */
export function bitVectorFormulas(conjuncts: readonly IntegerFormula[], readingOf: ReadingOf): readonly Term[] {
  const found = new Set<Term>();
  for (const conjunct of [...conjuncts, ...equations(conjuncts)]) {
    for (const arithmetic of ['exact', 'modular'] as const) {
      const term = new Words(readingOf, arithmetic).formula(conjunct);
      if (term && term !== L.TRUE) found.add(term);
    }
  }
  return [...found];
}

/** Two opposite inequalities are an equation, which words keep where they do not keep inequalities. */
function equations(conjuncts: readonly IntegerFormula[]): IntegerFormula[] {
  const forms = conjuncts.flatMap((conjunct) => (conjunct.kind === 'at-most-zero' ? [conjunct.form] : []));
  return forms.flatMap((form, i) =>
    forms.slice(i + 1).some((other) => isZero(plus(form, other))) ? [{ kind: 'zero' as const, form }] : [],
  );
}

function isZero({ factors, constant }: LinearSum): boolean {
  return factors.size === 0 && constant === 0n;
}

/** Words of this width hold what is added up exactly, if the coefficients are small. */
const wideBits = 64;
const narrowBits = 32;
const coefficients = 1n << 28n;

class Words {
  constructor(
    private readonly readingOf: ReadingOf,
    private readonly arithmetic: Arithmetic,
  ) {}

  formula(formula: IntegerFormula): Term | undefined {
    switch (formula.kind) {
      case 'literal':
        return L.bool(formula.value);
      case 'symbol':
        return formula.symbol;
      case 'at-most-zero':
        return this.compare(formula.form, L.sle, (symbol, factor, constant) => this.bound(symbol, factor, constant));
      case 'zero':
        return this.compare(formula.form, L.eq, (symbol, factor, constant) => this.value(symbol, factor, constant));
      case 'not': {
        const part = this.formula(formula.part);
        return part && L.not(part);
      }
      case 'and':
      case 'or': {
        const parts: Term[] = [];
        for (const part of formula.parts) {
          const term = this.formula(part);
          if (!term) return undefined;
          parts.push(term);
        }
        return formula.kind === 'and' ? L.and(...parts) : L.or(...parts);
      }
    }
  }

  private compare(
    { factors, constant }: LinearSum,
    compare: (a: Term, b: Term) => Term,
    alone: (symbol: SymbolTerm, factor: bigint, constant: bigint) => Term,
  ): Term | undefined {
    const [first, ...others] = [...factors];
    if (!first) return compare(literal(constant, wideBits), literal(0n, wideBits));
    if (others.length === 0) return alone(first[0], first[1], constant);
    const width = this.widthFor({ factors, constant });
    if (width === undefined) return undefined;
    // Each side has what is added to it: subtracting could wrap.
    const side = (sign: bigint): Term => {
      const parts = [first, ...others]
        .filter(([, factor]) => factor * sign > 0n)
        .map(([symbol, factor]) => L.mul(literal(factor * sign, width), this.widen(symbol, width)));
      return [...parts, ...(constant * sign > 0n ? [literal(constant * sign, width)] : [])].reduce(
        (sum, part) => L.add(sum, part),
        literal(0n, width),
      );
    };
    return compare(side(1n), side(-1n));
  }

  private widthFor({ factors, constant }: LinearSum): number | undefined {
    const widths = [...factors.keys()].map((symbol) => L.widthOf(symbol));
    switch (this.arithmetic) {
      case 'modular':
        return widths.every((width) => width === widths[0]) ? widths[0] : undefined;
      case 'exact': {
        const size = [...factors.values(), constant / (1n << BigInt(narrowBits))].reduce(
          (total, factor) => total + (factor < 0n ? -factor : factor),
          0n,
        );
        return widths.every((width) => width <= narrowBits) && size < coefficients ? wideBits : undefined;
      }
    }
  }

  private widen(symbol: SymbolTerm, width: number): Term {
    const more = width - L.widthOf(symbol);
    return more === 0
      ? symbol
      : this.readingOf(symbol) === 'signed'
        ? L.signExtend(symbol, width)
        : L.zeroExtend(symbol, width);
  }

  /** `factor * symbol + constant <= 0`, in the symbol's own width. */
  private bound(symbol: SymbolTerm, factor: bigint, constant: bigint): Term {
    const [low, high] = this.range(symbol);
    const le = low < 0n ? L.sle : L.ule;
    const own = (value: bigint): Term => literal(value, L.widthOf(symbol));
    if (factor > 0n) {
      const most = floorDivide(-constant, factor);
      return most < low ? L.FALSE : most >= high ? L.TRUE : le(symbol, own(most));
    }
    const least = -floorDivide(-constant, -factor);
    return least > high ? L.FALSE : least <= low ? L.TRUE : le(own(least), symbol);
  }

  private value(symbol: SymbolTerm, factor: bigint, constant: bigint): Term {
    const value = -constant / factor;
    const [low, high] = this.range(symbol);
    return value * factor === -constant && low <= value && value <= high
      ? L.eq(symbol, literal(value, L.widthOf(symbol)))
      : L.FALSE;
  }

  private range(symbol: SymbolTerm): readonly [bigint, bigint] {
    const size = 1n << BigInt(L.widthOf(symbol));
    return this.readingOf(symbol) === 'signed' ? [-size / 2n, size / 2n - 1n] : [0n, size - 1n];
  }
}

function literal(value: bigint, width: number): Term {
  return L.bits(BigInt.asUintN(width, value), width);
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}
