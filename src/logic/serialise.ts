/**
 * Terms as JSON and back, for files that outlive a process. Shared subterms are written once, in a table whose rows
 * refer to earlier rows. Terms read back are well-sorted whatever the text was. A text that is no table of terms throws
 * `NotTerms`.
 */
import { arraySort, bits, bitsSort, bool, boolSort, call, exists, forall, symbol } from './build';
import { application, widthOf } from './intern';
import { rebuild } from './rebuild';
import { sortText } from './sort';
import { postOrder } from './traverse';
import type { Application, ArraySort, Operator, Sort, SymbolTerm, Term } from './term';

/** `rows` are built in order; `roots` are the requested rows. */
export interface TermTable {
  readonly rows: readonly TermRow[];
  readonly roots: readonly number[];
}
export type TermRow =
  | readonly ['boolean', boolean]
  | readonly ['bits', width: number, hexadecimal: string]
  | readonly ['symbol', sort: string, name: string]
  | readonly [
      'apply',
      operator: string,
      args: readonly number[],
      parameters: readonly number[],
      sort: string,
      name: string | null,
    ]
  | readonly ['forall' | 'exists', bound: readonly number[], body: number];

export class NotTerms extends Error {}

export function writeTerms(terms: readonly Term[]): TermTable {
  const at = new Map<Term, number>();
  const rows: TermRow[] = [];
  const add = (term: Term): number => {
    const known = at.get(term);
    if (known !== undefined) return known;
    for (const part of postOrder([term], (t) => at.has(t))) {
      const row = rowOf(part, (t) => at.get(t) ?? add(t));
      at.set(part, rows.length);
      rows.push(row);
    }
    return at.get(term)!;
  };
  return { roots: terms.map(add), rows };
}

function rowOf(term: Term, index: (term: Term) => number): TermRow {
  switch (term.kind) {
    case 'boolean':
      return ['boolean', term.value];
    case 'bits':
      return ['bits', term.sort.width, term.value.toString(16)];
    case 'symbol':
      return ['symbol', sortText(term.sort), term.name];
    case 'apply':
      return [
        'apply',
        term.operator,
        term.args.map(index),
        [...term.parameters],
        sortText(term.sort),
        term.name ?? null,
      ];
    case 'forall':
    case 'exists':
      return [term.kind, term.bound.map(index), index(term.body)];
  }
}

/** Returns the roots. Equal terms are the same objects as before. */
export function readTerms(table: unknown): Term[] {
  try {
    const { rows, roots } = table as TermTable;
    const terms: Term[] = [];
    const at = (index: number): Term => terms[index] ?? fail(`row ${index} is not there yet`);
    for (const row of rows) terms.push(termOf(row, at));
    return roots.map(at);
  } catch (error) {
    // The constructors throw on operands of the wrong sort, destructuring on anything that is no table.
    throw error instanceof NotTerms ? error : new NotTerms(String(error));
  }
}

function termOf(row: TermRow, at: (index: number) => Term): Term {
  switch (row[0]) {
    case 'boolean':
      return bool(row[1]);
    case 'bits':
      return bits(BigInt(`0x${row[2]}`), row[1]);
    case 'symbol':
      return symbol(row[2], readSort(row[1]));
    case 'apply':
      return readApplication(row, row[2].map(at));
    case 'forall':
    case 'exists':
      return (row[0] === 'forall' ? forall : exists)(
        row[1].map((index) => symbolAt(at(index))),
        at(row[2]),
      );
    default:
      return fail('a row of no known kind');
  }
}

/**
 * The constructor checks the operands. The result is the term as written, which need not be the constructor's normal
 * form.
 */
function readApplication(
  [, name, , parameters, sortName, called]: Extract<TermRow, readonly ['apply', ...unknown[]]>,
  args: readonly Term[],
): Term {
  const sort = readSort(sortName);
  if (!Object.hasOwn(operands, name)) fail(`no operator ${name}`);
  const operator = name as Operator;
  if (operator === 'call') return call(called ?? fail('a function without a name'), sort, ...args);
  const wanted = operands[operator];
  if (wanted === 'many' ? args.length < 2 : args.length !== wanted) fail(`${operator} with ${args.length} operands`);
  const shape: Application = { kind: 'apply', id: -1, sort, operator, args: [], parameters };
  if (rebuild(shape, args).sort !== sort) fail(`${operator} is not of sort ${sortName}`);
  if (!fits(shape, args[0]!)) fail(`${operator} with the parameters ${String(parameters)}`);
  return application(operator, sort, args, parameters);
}

const operands: Readonly<Record<Operator, number | 'many'>> = {
  not: 1,
  and: 'many',
  or: 'many',
  eq: 2,
  ite: 3,
  negate: 1,
  complement: 1,
  add: 'many',
  subtract: 2,
  multiply: 'many',
  'unsigned-divide': 2,
  'unsigned-remainder': 2,
  'signed-divide': 2,
  'signed-remainder': 2,
  'bit-and': 'many',
  'bit-or': 'many',
  'bit-xor': 'many',
  'shift-left': 2,
  'logical-shift-right': 2,
  'arithmetic-shift-right': 2,
  'unsigned-less': 2,
  'unsigned-less-equal': 2,
  'signed-less': 2,
  'signed-less-equal': 2,
  concat: 'many',
  extract: 1,
  'zero-extend': 1,
  'sign-extend': 1,
  select: 2,
  store: 3,
  'constant-array': 1,
  'identity-relation': 0,
  'link-written': 4,
  'link-counted': 5,
  call: 'many',
};

function fits({ operator, parameters, sort }: Application, operand: Term): boolean {
  switch (operator) {
    case 'extract':
      return parameters.length === 2 && parameters.every(Number.isInteger);
    case 'zero-extend':
    case 'sign-extend':
      return (
        parameters.length === 1 &&
        sort.kind === 'bits' &&
        parameters[0] === sort.width - widthOf(operand) &&
        parameters[0] > 0
      );
    default:
      return parameters.length === 0;
  }
}

function symbolAt(term: Term): SymbolTerm {
  return term.kind === 'symbol' ? term : fail('only symbols are bound');
}

/** Inverse of `sortText`. */
function readSort(text: string): Sort {
  const array = /^\[(\d+)->(.+)\]$/.exec(text);
  if (array) return arraySort(bitsSort(Number(array[1])), readSort(array[2]!)) satisfies ArraySort;
  if (text === 'bool') return boolSort;
  return /^[1-9]\d{0,5}$/.test(text) ? bitsSort(Number(text)) : fail(`no sort ${text}`);
}

function fail(message: string): never {
  throw new NotTerms(message);
}
