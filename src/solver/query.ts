/**
 * One query to Z3, from the text of the check to a validated answer. A model is believed only if every assertion
 * evaluates to true under it. An error line, an unreadable value or a crash is `unknown`.
 */
import { performance } from 'node:perf_hooks';
import { defaultValue, arrayValue } from '../logic/arrays/arrayValue';
import { isApplication } from '../logic/intern';
import { symbolsOf } from '../logic/symbols';
import type { Application, Sort, SymbolTerm, Term, Value } from '../logic/term';
import { postOrder } from '../logic/traverse';
import type { Encoder } from './encoder';
import { FiniteModel, truthUnder } from './model';
import type { CallValue } from './model';
import type { SolverContext, FollowUps, SolverReply } from './process';
import { parseSExpressions } from './sexpression';
import type { SExpression } from './sexpression';
import type { Answer, QueryBudget, UnknownCause } from './solver';

export interface Query {
  readonly context: SolverContext;
  readonly encoder: Encoder;
  /** Up to, but without, the check. */
  readonly text: string;
  readonly question: string;
  readonly budget: QueryBudget;
  readonly assertions: readonly Term[];
  /** Assumptions by the literal that stands for them. */
  readonly assumptions: ReadonlyMap<string, Term>;
  readonly log: ((smt: string) => void) | undefined;
}

/** Z3 notices its own limit late; it is killed this much after. `reading`: more for each character that it reads. */
const graceMs = { least: 300, most: 1000, reading: 0.02 };
/** For values, which cost little. */
const followUpMs = 20_000;

/** `lost`: nothing was asked; what the context was told before is gone. */
export async function ask(query: Query): Promise<Answer | 'lost'> {
  const { context, budget, encoder } = query;
  const wanted = wantedValues(query);
  const values =
    wanted.length === 0
      ? {}
      : { sat: `${unlimited}(get-value (${wanted.map((t) => encoder.valueText(t)).join(' ')}))` };
  const core = query.assumptions.size === 0 ? {} : { unsat: '(get-unsat-core)' };
  const text = `${query.text}${encoder.takeDeclarations()}${query.question}\n`;

  const start = performance.now();
  const reply = await say(query, text, Math.ceil(budget.timeoutMs + graceFor(budget) + graceMs.reading * text.length), {
    ...values,
    ...core,
    unknown: '(get-info :reason-unknown)',
  });
  if (reply.kind === 'lost') return 'lost';
  if (reply.kind !== 'text') return silence(reply);
  const error = errorIn(reply.text);
  if (error !== undefined) return resetAndFail(context, error);
  const [answer, rest] = firstLine(reply.text);
  switch (answer) {
    case 'sat':
      return readModel(query, wanted, rest);
    case 'unsat':
      return { kind: 'unsat', core: readCore(query, rest) };
    case 'unknown':
      return whyUnknown(query, rest, performance.now() - start);
    default:
      return resetAndFail(context, `not understood: ${reply.text.slice(0, 200)}`);
  }
}

const graceFor = ({ timeoutMs }: QueryBudget): number => Math.min(graceMs.most, Math.max(graceMs.least, timeoutMs));

function firstLine(text: string): [string, string] {
  const trimmed = text.trim();
  const end = trimmed.indexOf('\n');
  return end === -1 ? [trimmed, ''] : [trimmed.slice(0, end).trim(), trimmed.slice(end + 1)];
}

export function unknown(cause: UnknownCause, detail: string): Answer & { kind: 'unknown' } {
  return { kind: 'unknown', cause, detail };
}

/** In Z3's resource units, some tenths of a second: a question of no more effort ends by it. */
export const littleEffort = 1_000_000;
const most = 4_000_000_000;

/** Effort that Z3 makes in a millisecond on a machine that has others to serve, too. */
const unitsPerMs = 1_000;

/**
 * Options that go before every check. No resources: no limit. What has little effort gets no limit of time from Z3,
 * which would start a thread to watch the clock, and in WebAssembly its first one takes as long as a small proof; the
 * process is killed should the effort not be noticed. All contexts end with it, so a question with little time gets no
 * more effort than fits into that.
 */
export function budgetText({ timeoutMs, resources = 0 }: QueryBudget): string {
  const little = resources > 0 && resources <= littleEffort;
  const units = little ? Math.max(1, Math.min(resources, timeoutMs * unitsPerMs)) : resources;
  return limits(little ? 0 : Math.min(Math.max(1, Math.ceil(timeoutMs)), most), Math.min(Math.ceil(units), most));
}

/** Zero is no limit. */
function limits(timeoutMs: number, resources: number): string {
  return `(set-option :timeout ${timeoutMs})\n(set-option :rlimit ${resources})\n`;
}

/** Limits hold for whatever Z3 does next, not for checks alone; outside a check there are none. */
export const unlimited = limits(0, 0);

async function say(query: Query, text: string, limitMs: number, followUps: FollowUps = {}): Promise<SolverReply> {
  query.log?.(text);
  return query.context.run(text, limitMs, followUps);
}

function silence(reply: Exclude<SolverReply, { kind: 'text' }>): Answer {
  switch (reply.kind) {
    case 'timeout':
      return unknown('timeout', 'killed at the time limit');
    case 'died':
      return unknown('died', reply.detail);
    case 'lost':
      return unknown('died', 'the context was lost');
    case 'interrupted':
      return unknown('interrupted', 'the solver was closed');
  }
}

/** After an error the context is in no known state, so it is given up. */
function resetAndFail(context: SolverContext, message: string): Answer {
  context.reset();
  return unknown(/canceled|resource limit/.test(message) ? 'resources' : 'error', message);
}

function errorIn(text: string): string | undefined {
  return /^\s*(\(error.*|unsupported.*)/m.exec(text)?.[1]?.slice(0, 500);
}

function whyUnknown({ budget: { timeoutMs, resources } }: Query, info: string, elapsedMs: number): Answer {
  const reason = /:reason-unknown\s+"?([^"]*)"?\)/.exec(info)?.[1] ?? info.trim();
  if (/memory/.test(reason)) return unknown('memory', reason);
  if (!/cancel|timeout|resource|limit|interrupted/.test(reason)) return unknown('incomplete', reason);
  const late = elapsedMs >= 0.9 * timeoutMs;
  return resources !== undefined && !late ? unknown('resources', reason) : unknown('timeout', reason);
}

/** All assumptions when Z3's core is not understood. */
function readCore(query: Query, text: string): readonly Term[] {
  const everything = [...query.assumptions.values()];
  const [list] = parseSExpressions(text) ?? [];
  if (!Array.isArray(list)) return everything;
  // Z3 writes a name without bars where it needs none.
  const assumption = (text: string): Term | undefined =>
    query.assumptions.get(text) ?? query.assumptions.get(text.replace(/[^\s()]+(?=\)*$)/, (name) => `|${name}|`));
  const core = (list as readonly SExpression[]).map((literal) => assumption(literalText(literal)));
  return core.includes(undefined) ? everything : (core as Term[]);
}

function literalText(literal: SExpression): string {
  return typeof literal === 'string' ? literal : `(${literal.map(literalText).join(' ')})`;
}

function termsOf(query: Query): readonly Term[] {
  return [...query.assertions, ...query.assumptions.values()];
}

/** Symbols, scalars first, then calls and their arguments: what a model is made of. */
function wantedValues(query: Query): readonly Term[] {
  const terms = termsOf(query);
  const symbols = new Set<SymbolTerm>();
  for (const t of terms) for (const s of symbolsOf(t)) symbols.add(s);
  const calls = closedCalls(terms);
  return [...new Set<Term>([...symbols, ...calls, ...calls.flatMap((c) => c.args)])];
}

async function readModel(query: Query, wanted: readonly Term[], text: string): Promise<Answer> {
  const terms = termsOf(query);
  const calls = closedCalls(terms);
  const values = readValues(query, wanted, text);
  if (!values) return unknown('incomplete', 'the model was not understood');
  const symbols = wanted.filter((t): t is SymbolTerm => t.kind === 'symbol');
  const scalars = symbols.filter((s) => s.sort.kind !== 'array');
  const arrays = symbols.filter((s) => s.sort.kind === 'array');
  const model = new Map<SymbolTerm, Value>();
  for (const s of scalars) {
    const value = values.get(s);
    if (value === undefined) return unknown('incomplete', `the value of ${s.name} was not understood`);
    model.set(s, value);
  }
  for (const s of arrays) {
    const value = values.get(s) ?? (await arrayByElements(query, s, terms));
    if (value !== undefined) model.set(s, value);
  }
  const callValues: CallValue[] = [];
  for (const term of calls) {
    const [value, args] = [values.get(term), term.args.map((a) => values.get(a))];
    if (value === undefined || args.includes(undefined))
      return unknown('incomplete', `the value of ${term.name} was not understood`);
    callValues.push({ term, args: args as Value[], value });
  }
  const finite = new FiniteModel(model, callValues);
  const verdicts = terms.map((t) => truthUnder(finite, t));
  const wrong = verdicts.indexOf(false);
  if (wrong !== -1) return unknown('incomplete', `the model does not satisfy assertion ${wrong}`);
  return { kind: 'sat', model: verdicts.includes(undefined) ? new FiniteModel(model, callValues, 'partial') : finite };
}

function readValues(
  { encoder }: Query,
  terms: readonly Term[],
  text: string,
): Map<Term, Value | undefined> | undefined {
  if (terms.length === 0) return new Map();
  const [pairs] = parseSExpressions(text) ?? [];
  if (!Array.isArray(pairs) || pairs.length !== terms.length) return undefined;
  return new Map(terms.map((t, i) => [t, encoder.parse((pairs[i] as readonly SExpression[])[1]!, t.sort)]));
}

/** An array whose value was not understood, from its elements at the indices that the question mentions. */
async function arrayByElements(query: Query, array: SymbolTerm, terms: readonly Term[]): Promise<Value | undefined> {
  if (array.sort.kind !== 'array' || array.sort.element.kind === 'array') return undefined;
  const indices = new Set<Term>();
  const isQuantified = (t: Term) => t.kind === 'forall' || t.kind === 'exists';
  for (const t of postOrder(terms, undefined, isQuantified)) {
    if ((isApplication(t, 'select') || isApplication(t, 'store')) && t.args[1]!.sort === array.sort.index)
      indices.add(t.args[1]!);
  }
  const { element } = array.sort;
  const list = [...indices];
  const { encoder } = query;
  const texts = list.flatMap((i) => [
    encoder.valueText(i),
    `(select ${encoder.valueText(array)} ${encoder.valueText(i)})`,
  ]);
  const reply = await say(query, `${encoder.takeDeclarations()}(get-value (${texts.join(' ')}))\n`, followUpMs);
  if (reply.kind !== 'text' || errorIn(reply.text) !== undefined) return undefined;
  const [answer] = parseSExpressions(reply.text) ?? [];
  if (!Array.isArray(answer) || answer.length !== texts.length) return undefined;
  const valueAt = (i: number, sort: Sort) => encoder.parse((answer[i] as readonly SExpression[])[1]!, sort);
  const pairs: (readonly [bigint, Value])[] = [];
  for (const i of list.keys()) {
    const [index, value] = [valueAt(2 * i, array.sort.index), valueAt(2 * i + 1, element)];
    if (index === undefined || value === undefined) return undefined;
    pairs.push([index as bigint, value]);
  }
  return arrayValue(defaultValue(element), pairs, element);
}

const callCache = new WeakMap<Term, readonly Application[]>();

function callsIn(term: Term): readonly Application[] {
  let found = callCache.get(term);
  if (!found) {
    const isQuantified = (t: Term) => t.kind === 'forall' || t.kind === 'exists';
    found = postOrder([term], undefined, isQuantified).filter((t): t is Application => isApplication(t, 'call'));
    callCache.set(term, found);
  }
  return found;
}

function closedCalls(terms: readonly Term[]): Application[] {
  const found = new Set<Application>();
  for (const term of terms) for (const one of callsIn(term)) found.add(one);
  return [...found];
}
