/** A search as plain data, for reports: what became of each node, and what restarts have forgotten. */
import { textPlace } from '../../abstraction/partition/partitionGraph';
import { printTerm } from '../../abstraction/printing/printTerm';
import type { GraphNode } from '../../abstraction/transitionSystem/transitionGraph';
import type { Term } from '../../logic/term';
import type { Vocabulary } from '../../semantics/symbolic/vocabulary';
import type { SearchNode, SearchTreeReport } from '../../verdict';
import type { StateConstraint } from './constraints';
import { isHousekeeping, neededLiterals } from './literalText';
import type { MinimaxEvent } from './minimax';
import type { MinimaxStatistics, TreeNode } from './searchTree';

const limits = {
  nodes: 5000,
  /** Conjuncts of a label, of a vector, of what is locked. */
  conjuncts: 12,
  characters: 160,
} as const;

interface Entry {
  readonly parent: Entry | undefined;
  readonly index: number;
  readonly place: GraphNode;
  readonly pass: number;
  /** Undefined: a successor that is no node of the search. */
  readonly node: TreeNode | undefined;
  kind: SearchNode['kind'];
  by: Entry | undefined;
  literal: Term | undefined;
  isForgotten: boolean;
}

export class TreeRecorder {
  private readonly entries: Entry[] = [];
  private readonly entryOf = new Map<TreeNode, Entry>();
  private readonly restarts: { readonly at: Entry; readonly locked: readonly Term[] }[] = [];

  /** Records an event; for `MinimaxOptions.log`. */
  add(event: MinimaxEvent): void {
    switch (event.kind) {
      case 'node':
        this.of(event.node);
        break;
      case 'ended':
        this.of(event.node).kind = 'end';
        break;
      case 'covered':
        Object.assign(this.of(event.node), { kind: 'covered', by: this.of(event.by) });
        break;
      case 'closed':
        Object.assign(this.of(event.node), { kind: 'closed', by: this.of(event.by.node!) });
        break;
      case 'labelled':
        this.of(event.node).kind = 'step';
        break;
      case 'infeasible':
        this.entry(event.node, event.step.to, undefined, 'infeasible').literal = event.literal;
        break;
      case 'failing':
        this.entry(event.node, event.step.to, undefined, event.isReal ? 'fails' : 'spurious');
        break;
      case 'restart': {
        const at = this.of(event.head.node!);
        // Depth first, all that was made since lies below.
        for (const entry of this.entries.slice(at.index + 1)) entry.isForgotten = true;
        at.kind = 'open';
        this.restarts.push({ at, locked: event.locked });
        break;
      }
    }
  }

  report({ restarts: _, ...figures }: MinimaxStatistics, seconds: number, vocabulary: Vocabulary): SearchTreeReport {
    const texts = new Map<Term, string>();
    const text = (term: Term): string => {
      let found = texts.get(term);
      if (found === undefined) {
        const whole = printTerm(term, vocabulary);
        found = whole.length > limits.characters ? `${whole.slice(0, limits.characters)}…` : whole;
        texts.set(term, found);
      }
      return found;
    };
    const shown = (terms: readonly Term[]): readonly Term[] =>
      terms.filter((term) => !isHousekeeping(term, vocabulary)).slice(0, limits.conjuncts);
    const current = this.entries.filter(({ isForgotten }) => !isForgotten);
    const forgotten = this.entries.filter(({ isForgotten }) => isForgotten);
    const kept = [...current, ...forgotten].slice(0, limits.nodes);
    const ids = new Set(kept.map(({ index }) => index));
    return {
      ...figures,
      seconds,
      complete: kept.length === this.entries.length,
      tree: kept
        .sort((a, b) => a.index - b.index)
        .map((entry): SearchNode => {
          const { index, parent, place, pass, node, kind, by, literal, isForgotten } = entry;
          const at = textPlace(place);
          const label = shown(literal ? [literal] : neededLiterals(node?.label)).map(text);
          const vector = node ? vectorOf(node) : [];
          return {
            id: index,
            ...(parent && { parent: parent.index }),
            ...(at && { at }),
            pass,
            ...(isForgotten && { forgotten: true }),
            kind,
            ...(by && ids.has(by.index) && { by: by.index }),
            ...(label.length > 0 && { label }),
            ...(vector.length > 0 && {
              vector: vector
                .filter(({ term }) => !isHousekeeping(term, vocabulary))
                .slice(0, limits.conjuncts)
                .map((one) => ({ constraint: text(one.term), annotation: annotationOf(one) })),
            }),
          };
        }),
      restarts: this.restarts.flatMap(({ at, locked }) =>
        ids.has(at.index) ? [{ at: at.index, locked: shown(locked).map(text) }] : [],
      ),
    };
  }

  private of(node: TreeNode): Entry {
    return this.entryOf.get(node) ?? this.entry(node.parent, node.place, node, 'open');
  }

  private entry(
    parent: TreeNode | undefined,
    place: GraphNode,
    node: TreeNode | undefined,
    kind: SearchNode['kind'],
  ): Entry {
    const above = parent && this.of(parent);
    const entry: Entry = {
      parent: above,
      index: this.entries.length,
      place,
      pass: this.restarts.length,
      node,
      kind,
      by: undefined,
      literal: undefined,
      isForgotten: false,
    };
    this.entries.push(entry);
    if (node) this.entryOf.set(node, entry);
    return entry;
  }
}

/** The constraints of a node that is a head. */
const vectorOf = (node: TreeNode): readonly StateConstraint[] => (node.head.node === node ? node.head.constraints : []);

export const annotationOf = ({ isMax, isKept }: StateConstraint): 'max' | 'min' | 'neutral' =>
  isMax ? 'max' : isKept ? 'neutral' : 'min';
