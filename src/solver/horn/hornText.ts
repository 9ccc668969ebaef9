/** A Horn clause as SMT-LIB text over unbounded integers. */
import { UnboundedIntegerPrinter, type IntegerArithmetic } from '../../logic/integers/unboundedIntegers';
import type { Signedness } from '../../logic/words/words';
import type { SymbolTerm } from '../../logic/term';
import type { HornApplication, HornClause, HornPredicate } from './horn';

export function clauseText(
  clause: HornClause,
  nameOf: (predicate: HornPredicate) => string,
  readingOf: (symbol: SymbolTerm) => Signedness,
  arithmetic: IntegerArithmetic,
): string {
  const printer = new UnboundedIntegerPrinter(readingOf, arithmetic);
  const application = ({ predicate, arguments: args }: HornApplication): string => {
    if (args.length === 0) return nameOf(predicate);
    return (
      `(${nameOf(predicate)} ` +
      `${args.map((arg, i) => printer.value(arg, readingOf(predicate.parameters[i]!))).join(' ')})`
    );
  };
  const body = [...clause.body.map(application), ...clause.condition.map((term) => printer.formula(term))];
  const head = clause.head ? application(clause.head) : 'false';
  const implication = printer.within(`(=> (and true ${[...body, ...printer.ranges].join(' ')}) ${head})`);
  const unknowns = [...printer.unknowns].map(([name, sort]) => `(${name} ${sort})`);
  return unknowns.length === 0 ? implication : `(forall (${unknowns.join(' ')}) ${implication})`;
}
