/**
 * Labels of nodes: what excludes an infeasible successor, what a successor's label asks of its predecessor, and what
 * covering takes. By weakest preconditions, or, as in the paper, by constraints of the state.
 */
import * as L from '../../logic/build';
import { isApplication } from '../../logic/intern';
import { substitute, symbolsOf } from '../../logic/substitute';
import { postOrder } from '../../logic/traverse';
import type { SymbolTerm, Term } from '../../logic/term';
import { conjunctsOf } from '../../abstraction/partition/preimage';
import type { Step } from '../../abstraction/transitionSystem/transitionGraph';
import type { Annotations } from './annotations';
import { type StateConstraint, isAlive, type Needs } from './constraints';
import { type Backward, backward, eliminate, ownConjuncts, withoutOffset } from './labels';
import { projection, type Vocabularies } from './projection';
import { type Described, type Questions, withDefinitions } from './questions';
import type { Literal, TreeNode } from './searchTree';

export type Interpolation = 'precondition' | 'halves' | 'subset' | 'none';

export class Interpolants {
  constructor(
    private readonly vocabularies: Vocabularies,
    private readonly questions: Questions,
    private readonly annotations: Annotations,
    private readonly kind: Interpolation,
  ) {}

  /** Why the step cannot be taken; undefined: that could not be said. `core`: the constraints it takes. */
  async exclude(node: TreeNode, step: Step, core: readonly StateConstraint[]): Promise<readonly Literal[] | undefined> {
    if (!node.parent) return [];
    const parts = ownConjuncts(step.guard, step.fresh);
    for (const part of parts) {
      const literal = L.not(part);
      const found = parts.length === 1 && parts[0] === step.guard ? core : await this.annotations.coreIn(node, literal);
      if (!found) continue;
      return this.accept(node, { term: literal, needs: 'always', core: found });
    }
    const whole = backward(L.FALSE, step);
    const literal = whole === 'nothing' ? undefined : whole.guarded;
    const found = literal && (await this.annotations.coreIn(node, literal));
    if (found) return this.accept(node, { term: literal, needs: 'always', core: found });
    if (whole === 'nothing') return undefined;
    return (
      (await this.bySubset(node, whole.exact, 'always')) ?? (await this.byCases(node, step, whole.exact, 'always'))
    );
  }

  /** The label of a successor, said of the node before the step. */
  async before(node: TreeNode, child: TreeNode): Promise<readonly Literal[] | undefined> {
    const step = child.step!;
    const label = child.label!;
    const isFree = this.isUnconditional(node, child);
    const said: Literal[] = [];
    const open: { readonly literal: Literal; readonly way: Backward; readonly core: readonly StateConstraint[] }[] = [];
    for (const literal of label) {
      if (!isAlive(literal.needs)) continue;
      const way = backward(literal.term, step);
      if (way === 'nothing') continue;
      open.push({ literal, way, core: literal.core });
    }
    const implied = await this.plainlyImplied(
      node,
      open.flatMap(({ way }) => (way.plain && !way.isUnguarded && !isFree ? [way.plain] : [])),
    );
    for (const { literal, way, core } of open) {
      const { needs } = literal;
      let found: readonly Literal[] | undefined;
      if (way.plain && (way.isUnguarded || isFree)) found = await this.accept(node, { term: way.plain, needs, core });
      else if (way.plain && implied.has(way.plain))
        found = await this.accept(node, { term: way.plain, needs, core: implied.get(way.plain)! });
      else if (way.guarded) {
        const taken = step.fresh.size === 0 ? core : await this.annotations.coreIn(node, way.guarded);
        if (taken) found = await this.accept(node, { term: way.guarded, needs, core: taken });
      }
      found ??= (await this.bySubset(node, way.exact, needs)) ?? (await this.byCases(node, step, way.exact, needs));
      if (!found) return undefined;
      said.push(...found);
    }
    return said;
  }

  /**
   * The label of a node that another one covers; undefined: it does not cover it. A part that is needed only as long as
   * some head keeps a constraint is asked for, too.
   */
  async ofCover(state: Described, literals: readonly Literal[]): Promise<readonly Literal[] | undefined> {
    const { path, witness } = state;
    const read = path.read(literals.map(({ term }) => term));
    if (witness && read.some((term) => witness.evaluate(term) === false)) return undefined;
    if ((await this.questions.implies(state, L.and(...read), 'no core')).kind !== 'implied') return undefined;
    const label: Literal[] = [];
    for (const { term, needs } of literals) {
      const core = await this.annotations.coreIn(state, term);
      if (!core) return undefined;
      label.push({ term, needs, core });
    }
    for (const { core, needs } of label) if (!(await this.annotations.need(core, needs))) return undefined;
    return label;
  }

  /** Every state of the node takes the step, so that what holds behind it holds before it in other words. */
  private isUnconditional(node: TreeNode, { above, arrival }: TreeNode): boolean {
    if (above !== node.head) return false;
    const added = [...arrival.conditions].filter((term) => !node.path.conditions.has(term));
    return added.length === 0 || (!above.isAnnotated && this.questions.isGiven(node, added));
  }

  /** The terms that hold before the step, with constraints that suffice, needed ones where possible. */
  private async plainlyImplied(
    node: TreeNode,
    terms: readonly Term[],
  ): Promise<ReadonlyMap<Term, readonly StateConstraint[]>> {
    const implied = new Map<Term, readonly StateConstraint[]>();
    const all = [...new Set(terms)];
    if (all.length === 0) return implied;
    const broken = await this.annotations.findBroken(node, all);
    for (const term of all) {
      if (broken.has(term)) continue;
      const core = !node.head.isAnnotated ? [] : await this.annotations.coreIn(node, term);
      if (core) implied.set(term, core);
    }
    return implied;
  }

  private async accept(node: TreeNode, literal: Literal): Promise<readonly Literal[] | undefined> {
    if (!(await this.annotations.need(literal.core, literal.needs))) return undefined;
    if (this.kind === 'subset' || this.kind === 'halves') return this.bySubset(node, literal.term, literal.needs);
    return (
      (await this.inParts(node, literal, withoutOffset(literal.term))) ??
      (await this.inParts(node, literal, this.settleElements(node, literal.term))) ?? [literal]
    );
  }

  /** The literal by simpler ones that imply it together; undefined where they do not hold in the node's state. */
  private async inParts(
    node: TreeNode,
    { needs }: Literal,
    parts: readonly Term[] | undefined,
  ): Promise<readonly Literal[] | undefined> {
    if (!parts) return undefined;
    const literals: Literal[] = [];
    for (const term of parts) {
      const core = await this.annotations.coreIn(node, term);
      if (!core) return undefined;
      literals.push({ term, needs, core });
    }
    for (const { core } of literals) if (!(await this.annotations.need(core, needs))) return undefined;
    return literals;
  }

  /** Elements at computed places, settled as they are in the node's state: with the values that decide the places. */
  private settleElements(node: TreeNode, term: Term): readonly Term[] | undefined {
    const deciding = new Set<SymbolTerm>();
    for (const part of postOrder([term]))
      if (isApplication(part, 'select')) for (const symbol of symbolsOf(part.args[1]!)) deciding.add(symbol);
    if (deciding.size === 0) return undefined;
    const symbols = [...deciding];
    const values = withDefinitions(node, symbols);
    const known = new Map<Term, Term>(
      symbols.flatMap((symbol, i) => (values[i]!.kind === 'bits' ? [[symbol, values[i]!] as const] : [])),
    );
    if (known.size === 0) return undefined;
    return [...conjunctsOf(substitute(term, known)), ...[...known].map(([symbol, value]) => L.eq(symbol, value))];
  }

  /** The weakest precondition for each value of a chosen index. */
  private async byCases(
    node: TreeNode,
    { fresh }: Step,
    exact: Term,
    needs: Needs,
  ): Promise<readonly Literal[] | undefined> {
    const term = L.not(eliminate(L.not(exact), fresh));
    return this.inParts(node, { term, needs, core: [] }, term === L.FALSE ? undefined : conjunctsOf(term));
  }

  /** Constraints of the node's state that imply the term; undefined: they do not. */
  private async bySubset(
    node: TreeNode,
    term: Term | undefined,
    needs: Needs,
  ): Promise<readonly Literal[] | undefined> {
    if (!term) return undefined;
    const said = projection(this.vocabularies, node.place, node, this.kind !== 'subset');
    const core = await this.questions.coreOf(
      said.map((one) => one.term),
      node.place.known,
      term,
    );
    if (!core) return undefined;
    const literals: Literal[] = [];
    for (const one of core) {
      const rests = await this.annotations.coreIn(node, one);
      if (!rests || !(await this.annotations.need(rests, needs))) return undefined;
      literals.push({ term: one, needs, core: rests });
    }
    return literals;
  }
}
