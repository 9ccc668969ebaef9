import * as L from '../../../src/logic/build';
import { IntegerPrinter } from '../../../src/logic/integers/integers';
import { SignednessVotes } from '../../../src/logic/integers/signednessVotes';
import type { Term } from '../../../src/logic/term';
import { postOrder } from '../../../src/logic/traverse';

const [x, y] = [L.symbol('x', L.bitsSort(32)), L.symbol('y', L.bitsSort(32))];

function votesOn(formula: Term): SignednessVotes {
  const votes = new SignednessVotes();
  votes.count(postOrder([formula]));
  return votes;
}

test('a word has the signedness of the comparisons that it stands in', () => {
  expect(votesOn(L.slt(x, y)).signedness(x)).toBe('signed');
  expect(votesOn(L.ult(x, y)).signedness(x)).toBe('unsigned');
  expect(votesOn(L.and(L.ult(x, y), L.slt(x, L.bits(5n, 32)), L.slt(L.bits(1n, 32), x))).signedness(x)).toBe('signed');
});

test('operands of arithmetic follow its result', () => {
  expect(votesOn(L.ult(L.add(x, y), L.bits(7n, 32))).signedness(y)).toBe('unsigned');
});

test('without votes wide words are signed, and bytes are not', () => {
  const votes = new SignednessVotes();
  expect(votes.signedness(x)).toBe('signed');
  expect(votes.signedness(L.symbol('c', L.bitsSort(8)))).toBe('unsigned');
});

test('indices of a width, and elements of a sort, keep the signedness that was chosen first', () => {
  const sort = L.arraySort(L.bitsSort(32), L.bitsSort(32));
  const votes = new SignednessVotes();
  expect(votes.chosenForIndex(32)).toBeUndefined();
  expect([votes.ofIndex(32), votes.ofElement(sort)]).toEqual(['unsigned', 'signed']);
  const element = L.select(L.symbol('a', sort), x);
  votes.count(postOrder([L.and(L.slt(x, y), L.ult(element, y))]));
  expect([votes.ofIndex(32), votes.ofElement(sort)]).toEqual(['unsigned', 'signed']);
});

test('terms that are asserted together vote together, whichever comes first', () => {
  const zero = L.bits(0n, 32);
  const [first, later] = [L.or(L.eq(x, zero), L.eq(y, zero)), L.ult(x, y)];
  const declared = (known: readonly Term[]): string => {
    const printer = new IntegerPrinter();
    if (known.length > 0) printer.know(known);
    return printer.formula(first)!.constraints.join(' ');
  };
  expect(declared([])).toContain('(- 2147483648)');
  expect(declared([first, later])).not.toContain('(- 2147483648)');
});
