/** A Horn clause as SMT-LIB text over unbounded integers. */
import { IdealPrinter, type IdealArithmetic, type IdealReading } from '../logic/unboundedIntegers';
import type { SymbolTerm } from '../logic/term';
import type { HornApplication, HornClause, HornPredicate } from './horn';

export function clauseText(
  clause: HornClause,
  nameOf: (predicate: HornPredicate) => string,
  readingOf: (symbol: SymbolTerm) => IdealReading,
  arithmetic: IdealArithmetic,
): string {
  const printer = new IdealPrinter(readingOf, arithmetic);
  const application = ({ predicate, arguments: args }: HornApplication): string => {
    if (args.length === 0) return nameOf(predicate);
    return `(${nameOf(predicate)} ${args.map((arg, i) => printer.value(arg, readingOf(predicate.parameters[i]!))).join(' ')})`;
  };
  const body = [...clause.body.map(application), ...clause.condition.map((term) => printer.formula(term))];
  const head = clause.head ? application(clause.head) : 'false';
  const implication = printer.within(`(=> (and true ${[...body, ...printer.ranges].join(' ')}) ${head})`);
  const unknowns = [...printer.unknowns].map(([name, sort]) => `(${name} ${sort})`);
  return unknowns.length === 0 ? implication : `(forall (${unknowns.join(' ')}) ${implication})`;
}
