/**
 * Terms as SMT-LIB 2 text over bit-vectors and arrays. The text is linear in the number of distinct subterms: shared or
 * long subterms get a definition, once per printer, or a `let` below a quantifier. A printer serves one context.
 * `rollback` drops the declarations made since a `push`.
 *
 * Symbols are `|$name|`; `|`, `\`, `$` and unprintable or non-ASCII characters are written as `$code.`. A name taken by
 * a symbol of another sort gets its sort appended. So no two symbols collide, and none is a built-in name.
 */
import { ieeeText, isIeeeAxiom } from './floats/ieee';
import { isApplication, symbol } from './intern';
import { sortText } from './sort';
import { symbolsOf } from './symbols';
import type { Application, BitsLiteral, Quantified, Sort, SymbolTerm, Term } from './term';
import { postOrder } from './traverse';
import { unreachable } from '../unreachable';

/** Texts shorter than this are repeated. Texts longer than the second limit are always named. */
const worthNaming = 24;
const alwaysNamed = 400;

export class SmtlibPrinter {
  private readonly names = new SmtlibNames();
  private readonly declared = new Set<Term | string>();
  private readonly defined = new Map<Term, string>();
  /** Additions to the two tables, in order. */
  private readonly history: (Term | string)[] = [];
  private pending: string[] = [];

  /** A point to return to. All declarations must have been taken. */
  mark(): number {
    return this.history.length;
  }

  rollback(mark: number): void {
    for (const item of this.history.splice(mark)) {
      this.declared.delete(item);
      if (typeof item !== 'string') this.defined.delete(item);
    }
  }

  /** The declarations and definitions that the texts since the last call need, in order. */
  takeDeclarations(): string {
    const text = this.pending.map((line) => `${line}\n`).join('');
    this.pending = [];
    return text;
  }

  /** The text of a term, which may refer to definitions made on the way. */
  text(term: Term): string {
    return this.print(
      term,
      new Map(),
      (text, t) => {
        const name = `d!${this.defined.size}`;
        this.pending.push(`(define-fun ${name} () ${smtlibSort(t.sort)} ${text})`);
        this.defined.set(t, name);
        this.history.push(t);
        return name;
      },
      () => true,
    );
  }

  /** `bind` names a text. `isClosed` selects the subterms that mean the same everywhere. */
  private print(
    root: Term,
    bound: ReadonlyMap<Term, string>,
    bind: (text: string, term: Term) => string,
    isClosed: (t: Term) => boolean,
  ): string {
    const closedBelow = (t: Term) => !isClosed(root) && isClosed(t);
    const isLeaf = (t: Term) => t.kind === 'forall' || t.kind === 'exists' || closedBelow(t);
    const order = postOrder([root], (t) => this.defined.has(t) && isClosed(t), isLeaf);
    const uses = new Map<Term, number>();
    for (const t of order)
      if (t.kind === 'apply' && !isLeaf(t)) for (const a of t.args) uses.set(a, (uses.get(a) ?? 0) + 1);
    const texts = new Map<Term, string>();
    const textOf = (t: Term) => texts.get(t) ?? this.defined.get(t)!;
    for (const t of order) {
      if (closedBelow(t)) {
        texts.set(t, this.text(t));
        continue;
      }
      const text = this.plain(t, textOf, bound);
      const compound = t.kind !== 'boolean' && t.kind !== 'bits' && t.kind !== 'symbol';
      const named =
        compound && t !== root && (text.length > alwaysNamed || ((uses.get(t) ?? 0) > 1 && text.length > worthNaming));
      texts.set(t, named ? bind(text, t) : text);
    }
    return textOf(root);
  }

  private plain(t: Term, textOf: (t: Term) => string, bound: ReadonlyMap<Term, string>): string {
    switch (t.kind) {
      case 'boolean':
        return String(t.value);
      case 'bits':
        return smtlibWord(t);
      case 'symbol':
        return bound.get(t) ?? this.symbol(t);
      case 'forall':
      case 'exists':
        return this.quantifier(t, bound);
      case 'apply':
        return this.application(t, t.args.map(textOf));
    }
  }

  /** The name of a free symbol, declared. */
  symbol(symbol: SymbolTerm): string {
    const name = this.names.of(symbol);
    if (!this.declared.has(symbol)) {
      this.declared.add(symbol);
      this.history.push(symbol);
      this.pending.push(`(declare-const ${name} ${smtlibSort(symbol.sort)})`);
    }
    return name;
  }

  private function(term: Application): string {
    const argumentSorts = term.args.map((a) => a.sort);
    const name = this.names.ofFunction(term.name!, argumentSorts, term.sort);
    if (!this.declared.has(name)) {
      this.declared.add(name);
      this.history.push(name);
      this.pending.push(`(declare-fun ${name} (${argumentSorts.map(smtlibSort).join(' ')}) ${smtlibSort(term.sort)})`);
    }
    return name;
  }

  /** Subterms that mention a symbol bound here or further out are named by `let`, all others by definitions outside. */
  private quantifier(term: Quantified, outer: ReadonlyMap<Term, string>): string {
    const bound = new Map<Term, string>([...outer, ...term.bound.map((s) => [s, this.names.of(s)] as const)]);
    const open = new Set<Term>();
    const isLeaf = (t: Term) => t.kind === 'forall' || t.kind === 'exists';
    for (const t of postOrder([term.body], undefined, isLeaf)) {
      const mentions = isLeaf(t)
        ? [...symbolsOf(t)].some((s) => bound.has(s))
        : bound.has(t) || (t.kind === 'apply' && t.args.some((a) => open.has(a)));
      if (mentions) open.add(t);
    }
    const lets: string[] = [];
    const bind = (text: string) => {
      const name = `l!${outer.size}!${lets.length}`;
      lets.push(`(let ((${name} ${text})) `);
      return name;
    };
    const body = this.print(term.body, bound, bind, (t) => !open.has(t));
    const variables = term.bound.map((s) => `(${bound.get(s)!} ${smtlibSort(s.sort)})`).join(' ');
    return `(${term.kind} (${variables}) ${lets.join('')}${body}${')'.repeat(lets.length)})`;
  }

  private application(term: Application, args: readonly string[]): string {
    const list = args.join(' ');
    switch (term.operator) {
      case 'not':
        return `(not ${list})`;
      case 'and':
        return `(and ${list})`;
      case 'or':
        return `(or ${list})`;
      case 'eq':
        return `(= ${list})`;
      case 'ite':
        return `(ite ${list})`;
      case 'negate':
        return `(bvneg ${list})`;
      case 'complement':
        return `(bvnot ${list})`;
      case 'add':
        return `(bvadd ${list})`;
      case 'subtract':
        return `(bvsub ${list})`;
      case 'multiply':
        return `(bvmul ${list})`;
      case 'unsigned-divide':
        return `(bvudiv ${list})`;
      case 'unsigned-remainder':
        return `(bvurem ${list})`;
      case 'signed-divide':
        return `(bvsdiv ${list})`;
      case 'signed-remainder':
        return `(bvsrem ${list})`;
      case 'bit-and':
        return `(bvand ${list})`;
      case 'bit-or':
        return `(bvor ${list})`;
      case 'bit-xor':
        return args.slice(1).reduce((a, b) => `(bvxor ${a} ${b})`, args[0]!);
      case 'shift-left':
        return `(bvshl ${list})`;
      case 'logical-shift-right':
        return `(bvlshr ${list})`;
      case 'arithmetic-shift-right':
        return `(bvashr ${list})`;
      case 'unsigned-less':
        return `(bvult ${list})`;
      case 'unsigned-less-equal':
        return `(bvule ${list})`;
      case 'signed-less':
        return `(bvslt ${list})`;
      case 'signed-less-equal':
        return `(bvsle ${list})`;
      case 'concat':
        return args.slice(1).reduce((a, b) => `(concat ${a} ${b})`, args[0]!);
      case 'extract':
        return `((_ extract ${term.parameters[0]} ${term.parameters[1]}) ${list})`;
      case 'zero-extend':
        return `((_ zero_extend ${term.parameters[0]}) ${list})`;
      case 'sign-extend':
        return `((_ sign_extend ${term.parameters[0]}) ${list})`;
      case 'select':
        return `(select ${list})`;
      case 'store':
        return `(store ${list})`;
      case 'constant-array':
        return `((as const ${smtlibSort(term.sort)}) ${list})`;
      // Reads of relations are rewritten; a relation that is not read may be any.
      case 'identity-relation':
      case 'link-written':
      case 'link-counted':
        return this.symbol(symbol(`?relation:${term.id}`, term.sort));
      case 'call':
        return ieeeText(term, args) ?? (args.length === 0 ? this.function(term) : `(${this.function(term)} ${list})`);
      default:
        return unreachable(term.operator);
    }
  }
}

/** Gives each symbol and function its own name. */
export class SmtlibNames {
  private readonly given = new Map<Term | string, string>();
  private readonly taken = new Set<string>();

  of(symbol: SymbolTerm): string {
    return this.give(symbol, `$${escapeName(symbol.name)}`, sortText(symbol.sort));
  }

  ofFunction(name: string, args: readonly Sort[], result: Sort): string {
    const signature = `${args.map(sortText).join(',')}->${sortText(result)}`;
    return this.give(`${signature} ${name}`, `@${escapeName(name)}`, signature);
  }

  private give(key: Term | string, plain: string, suffix: string): string {
    let name = this.given.get(key);
    if (name === undefined) {
      name = this.taken.has(plain) ? `${plain}$${suffix}` : plain;
      this.taken.add(name);
      this.given.set(key, name);
    }
    return `|${name}|`;
  }
}

function escapeName(name: string): string {
  return name.replace(/[^ -~]|[|\\$]/gu, (c) => `$${c.codePointAt(0)!.toString(16)}.`);
}

export function smtlibSort(sort: Sort): string {
  switch (sort.kind) {
    case 'boolean':
      return 'Bool';
    case 'bits':
      return `(_ BitVec ${sort.width})`;
    case 'array':
      return `(Array ${smtlibSort(sort.index)} ${smtlibSort(sort.element)})`;
  }
}

function smtlibWord({ value, sort: { width } }: BitsLiteral): string {
  return width % 4 === 0
    ? `#x${value.toString(16).padStart(width / 4, '0')}`
    : `#b${value.toString(2).padStart(width, '0')}`;
}

/** The features that occur in the terms, for choosing a logic. */
export function smtlibLogic(terms: readonly Term[]): string | undefined {
  let [arrays, functions, floats] = [false, false, false];
  for (const t of postOrder(terms)) {
    if (t.kind === 'forall' || t.kind === 'exists') return undefined;
    if (t.sort.kind === 'array') arrays = true;
    if (isIeeeAxiom(t)) floats = true;
    else if (isApplication(t, 'call')) functions = true;
  }
  if (floats) return arrays || functions ? undefined : 'QF_BVFP';
  return `QF_${arrays ? 'A' : ''}${functions ? 'UF' : ''}BV`;
}

/** A whole script that checks whether the assertions are satisfiable together. */
export function smtlibScript(assertions: readonly Term[]): string {
  const printer = new SmtlibPrinter();
  const logic = smtlibLogic(assertions);
  const body = assertions.map((a) => {
    const text = printer.text(a);
    return `${printer.takeDeclarations()}(assert ${text})\n`;
  });
  return `${logic === undefined ? '' : `(set-logic ${logic})\n`}${body.join('')}(check-sat)\n`;
}
