/**
 * Probes that make a proof where the user's own are too weak: what the program itself suggests (its conditions carried
 * backward) is printed as C and read again, as pasting it would; if all of it together closes the proof, what is not
 * needed is dropped, one after another. So a suggestion is never a guess.
 */
import * as L from '../../logic/build';
import { holdsIn } from '../../abstraction/partition/partition';
import { ConcreteView } from '../../abstraction/transitionSystem/concreteView';
import { Machine } from '../../semantics/concrete/machine';
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import { defaultPredicates, type PredicateLimits } from '../../abstraction/predicates/defaultPredicates';
import { printTerm } from '../../abstraction/printing/printTerm';
import { readCProbe } from '../../host/cProbe';
import { scopeOf } from '../../host/probeScope';
import { sizeOf } from '../../logic/substitute';
import type { Probe } from '../../task';

export interface SuggestedProbe extends Probe {
  readonly text: string;
}

const mostCandidates = 24;

/** Candidates over the module's variables; at loops also about a function's own. Small ones first. */
export function probeCandidates(system: TransitionSystem, limits: PredicateLimits): SuggestedProbe[] {
  const { program, vocabulary } = system;
  const { globals, memory } = new Machine(program);
  const initially = new ConcreteView(vocabulary, { globals, memory, activation: undefined, activations: [] });
  const found = new Map<string, SuggestedProbe & { readonly size: number }>();
  for (const [point, predicates] of defaultPredicates(system, new Map(), limits)) {
    const ofModule = point === system.client;
    if (!ofModule && point.kind !== 'loop') continue;
    const fn = ofModule ? undefined : point.fn;
    for (const { term: either } of predicates) {
      // The side that holds at the beginning: a probe that holds nowhere would be refused.
      const term = ofModule && !holdsIn(either, initially) ? L.not(either) : either;
      const text = printTerm(term, vocabulary);
      const read = readCProbe(text, scopeOf(program, 'the module', fn), program.enumConstants);
      const known = found.has(text) || found.has(`${fn?.name}: ${text}`);
      if (read.kind !== 'formula' || known) continue;
      found.set(fn ? `${fn.name}: ${text}` : text, {
        name: text,
        text,
        formula: read.formula,
        origin: 'a suggestion',
        size: sizeOf(term),
        ...(fn && { function: fn.name }),
      });
    }
  }
  return [...found.values()].sort((a, b) => a.size - b.size).slice(0, mostCandidates);
}

/** A smallest part of the candidates with which the proof closes, as far as time allows; undefined when it does not. */
export async function sufficientProbes(
  candidates: readonly SuggestedProbe[],
  closes: (probes: readonly SuggestedProbe[]) => Promise<boolean>,
  stop: () => boolean,
): Promise<readonly SuggestedProbe[] | undefined> {
  if (candidates.length === 0 || !(await closes(candidates))) return undefined;
  let needed = candidates;
  for (const candidate of [...candidates].reverse()) {
    if (stop()) break;
    const fewer = needed.filter((other) => other !== candidate);
    if (fewer.length > 0 && (await closes(fewer))) needed = fewer;
  }
  return needed;
}

/** As lines to paste. */
export function printProbes(probes: readonly SuggestedProbe[], variable: string): string {
  return probes
    .map(
      ({ text, function: fn }) =>
        `${variable}.probe(${quoted(text)}, ${quoted(text)}${fn === undefined ? '' : `, { in: '${fn}' }`});`,
    )
    .join('\n');
}

const quoted = (text: string): string => `'${text.replace(/\\/g, '\\\\').replace(/'/g, "\\'")}'`;
