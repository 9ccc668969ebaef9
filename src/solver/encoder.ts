/** Encodes terms as text for one context, and reads values back. */
import { IntegerPrinter } from '../logic/integers/integers';
import { SmtlibPrinter, smtlibLogic } from '../logic/smtlib';
import { parseValue } from './modelValue';
import type { SExpression } from './sexpression';
import type { Sort, Term, Value } from '../logic/term';
import type { Encoding } from './solver';

export interface Encoded {
  /** A boolean expression. */
  readonly text: string;
  /** Assertions needed beside it, at the same level or below: ranges of the integers that stand for words. */
  readonly constraints: readonly string[];
}

export interface Encoder {
  readonly encoding: Encoding;
  /** False: the texts so far may have solutions that the terms do not have. */
  readonly isExact: boolean;
  /** That these terms are asserted, now, before any of them is encoded; forgotten by a rollback. */
  know(assertions: readonly Term[]): void;
  /** Undefined: this encoding has no text for the term. */
  encode(term: Term): Encoded | undefined;
  /** Declarations and definitions that the texts handed out since the last call need. */
  takeDeclarations(): string;
  /** A point to return to when the context pops what was declared since. All declarations must have been taken. */
  mark(): number;
  rollback(mark: number): void;
  /** Text whose value `parse` reads; for symbols and for subterms of terms encoded before. */
  valueText(term: Term): string;
  parse(value: SExpression, sort: Sort): Value | undefined;
  /** For a fresh context; undefined where Z3 should choose by itself. */
  logic(terms: readonly Term[]): string | undefined;
}

export function bitsEncoder(): Encoder {
  const printer = new SmtlibPrinter();
  return {
    encoding: 'bits',
    isExact: true,
    know: () => {},
    encode: (term) => ({ text: printer.text(term), constraints: [] }),
    takeDeclarations: () => printer.takeDeclarations(),
    mark: () => printer.mark(),
    rollback: (mark) => printer.rollback(mark),
    valueText: (term) => printer.text(term),
    parse: (value, sort) => parseValue(value, sort),
    logic: smtlibLogic,
  };
}

export function integersEncoder(): Encoder {
  const printer = new IntegerPrinter();
  return {
    encoding: 'integers',
    get isExact() {
      return printer.isExact;
    },
    know: (assertions) => printer.know(assertions),
    encode: (term) => printer.formula(term),
    takeDeclarations: () => printer.takeDeclarations(),
    mark: () => printer.mark(),
    rollback: (mark) => printer.rollback(mark),
    valueText: (term) => printer.valueText(term),
    parse: (value, sort) => parseValue(value, sort, (width) => printer.indexRange(width)),
    logic: () => printer.logic(),
  };
}
