/** Compiles a term into a straight line of steps over numbered slots, for repeated evaluation. */
import { asArray, readArray } from './arrays/arrayValue';
import { evaluate, operate } from './evaluate';
import type { Calls, Assignment } from './evaluate';
import type { Application, Term, Value } from './term';
import { postOrder } from './traverse';
import * as words from './words/words';

type Slots = Value[];
type Step = (slots: Slots, environment: Assignment, calls: Calls | undefined) => Value;

export type Compiled = (environment: Assignment, calls?: Calls) => Value;

const compiled = new WeakMap<Term, Compiled>();

export function compile(term: Term): Compiled {
  let made = compiled.get(term);
  if (!made) compiled.set(term, (made = compileAfresh(term)));
  return made;
}

/** Compiles many terms at once and computes shared subterms once. The values are in the order of the terms. */
export function compileAll(terms: readonly Term[]): (environment: Assignment, calls?: Calls) => Value[] {
  const { run, slotOf } = linearise(terms);
  const places = terms.map((term) => slotOf.get(term)!);
  return (environment, calls) => {
    const slots = run(environment, calls);
    return places.map((place) => slots[place]!);
  };
}

function compileAfresh(term: Term): Compiled {
  const { run, slotOf } = linearise([term]);
  const place = slotOf.get(term)!;
  return (environment, calls) => run(environment, calls)[place]!;
}

function linearise(terms: readonly Term[]): {
  readonly run: (environment: Assignment, calls: Calls | undefined) => Slots;
  readonly slotOf: ReadonlyMap<Term, number>;
} {
  const order = postOrder(terms, undefined, (t) => t.kind === 'forall' || t.kind === 'exists');
  const slotOf = new Map(order.map((t, i) => [t, i]));
  const steps = order.map((t) => stepOf(t, slotOf));
  return {
    slotOf,
    run: (environment, calls) => {
      const slots = new Array<Value>(steps.length);
      for (let i = 0; i < steps.length; i++) slots[i] = steps[i]!(slots, environment, calls);
      return slots;
    },
  };
}

function stepOf(term: Term, slotOf: ReadonlyMap<Term, number>): Step {
  switch (term.kind) {
    case 'boolean':
    case 'bits': {
      const { value } = term;
      return () => value;
    }
    case 'symbol':
      return (_, environment) => environment(term);
    case 'forall':
    case 'exists':
      return (_, environment, calls) => evaluate(term, environment, calls);
    case 'apply':
      return applicationStep(
        term,
        term.args.map((a) => slotOf.get(a)!),
      );
  }
}

/** The common operators, without building an argument list. */
function applicationStep(term: Application, args: readonly number[]): Step {
  const [a, b, c] = args as readonly [number, number, number];
  const first = term.args[0]?.sort;
  const width = first?.kind === 'bits' ? first.width : 0;
  const half = width === 0 ? 0n : 1n << BigInt(width - 1); // x < y signed is x ^ half < y ^ half unsigned
  const word = (slots: Slots, i: number) => slots[i] as bigint;
  switch (term.operator) {
    case 'not':
      return (s) => !s[a];
    case 'and':
      return (s) => {
        for (const i of args) if (s[i] !== true) return false;
        return true;
      };
    case 'or':
      return (s) => {
        for (const i of args) if (s[i] === true) return true;
        return false;
      };
    case 'ite':
      return (s) => (s[a] === true ? s[b]! : s[c]!);
    case 'unsigned-less':
      return (s) => word(s, a) < word(s, b);
    case 'unsigned-less-equal':
      return (s) => word(s, a) <= word(s, b);
    case 'signed-less':
      return (s) => (word(s, a) ^ half) < (word(s, b) ^ half);
    case 'signed-less-equal':
      return (s) => (word(s, a) ^ half) <= (word(s, b) ^ half);
    case 'zero-extend':
      return (s) => s[a]!;
    case 'add':
      if (args.length === 2) return (s) => BigInt.asUintN(width, word(s, a) + word(s, b));
      break;
    case 'eq':
      if (first?.kind !== 'array') return (s) => s[a] === s[b];
      break;
    case 'subtract':
      if (args.length === 2) return (s) => BigInt.asUintN(width, word(s, a) - word(s, b));
      break;
    case 'select':
      return (s) => readArray(asArray(s[a]!), word(s, b));
    case 'extract': {
      const [high, low] = [term.parameters[0]!, term.parameters[1]!];
      return (s) => words.extractBits(word(s, a), high, low);
    }
    default:
      break;
  }
  return (s, _, calls) =>
    operate(
      term,
      args.map((i) => s[i]!),
      calls,
    );
}
