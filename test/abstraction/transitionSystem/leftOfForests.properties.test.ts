/**
 * What calls leave of the parents and ancestors in a forest, compared with the states before and after calls of random
 * functions: these recur, make, link, copy and free nodes of random heaps, with shared nodes, cycles, dangling links.
 * The history of each run is kept write by write. All axioms about the memory behind a call that mention what its
 * arguments reached must hold in it, for calls within calls as well.
 */
import fc from 'fast-check';
import { ConcreteView } from '../../../src/abstraction/transitionSystem/concreteView';
import { leftOfParents } from '../../../src/abstraction/transitionSystem/callTransitions';
import { regionOf } from '../../../src/abstraction/transitionSystem/concreteChains';
import { plainOptions, TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import type { Transition } from '../../../src/abstraction/transitionSystem/transition';
import { lazyArray, readArray } from '../../../src/logic/arrays/arrayValue';
import * as L from '../../../src/logic/build';
import { type Compiled, compile } from '../../../src/logic/compile';
import { symbolsOf } from '../../../src/logic/symbols';
import type { Application, ArrayValue, SymbolTerm, Term, Value } from '../../../src/logic/term';
import { loadProgram } from '../../../src/program';
import type { FunctionDefinition, Location, Program } from '../../../src/program/program';
import { Machine } from '../../../src/semantics';
import {
  objectNumber,
  offsetBytes,
  pointerTo,
  type ConcreteValue,
} from '../../../src/semantics/concrete/concreteValues';
import type { Activation } from '../../../src/semantics/concrete/machine';
import { adopt, beginChild, endChild } from '../../../src/semantics/symbolic/linkedMemory';
import type { ForestVariables, MemoryModel, MemoryVariable } from '../../../src/semantics/symbolic/memoryModel';
import { asPointer } from '../../../src/semantics/symbolic/symbolicValues';
import { file } from '../../engines/task';
import { programSystem } from '../programSystem';
import { runs } from '../../long';

const variable = fc.constantFrom('p', 'q', 'r', 's');
const value = fc.constantFrom('p', 'q', 'r', 's', 'NULL');
const link = fc.constantFrom('left', 'right');
const condition = fc.constantFrom('', '', 'if (k == 0) ', 'if (k & 1) ', 'if (k & 2) ');
const argument = fc.constantFrom('p', 'q', 'r', 'p->left', 'p->right', 'q->left', 'q->right', 'NULL');
const mayUse = (one: string): string => (one.includes('->') ? `${one[0]} && ` : '');

const store = fc
  .tuple(condition, variable, link, fc.oneof({ weight: 2, arbitrary: value }, { weight: 1, arbitrary: argument }))
  .map(([when, x, l, to]) => `${when}if (${mayUse(to)}${x}) ${x}->${l} = ${to};`);
const load = fc
  .tuple(condition, variable, link, variable)
  .map(([when, x, l, y]) => `${when}if (${x}) ${y} = ${x}->${l};`);
const free = fc.tuple(condition, variable).map(([when, x]) => `${when}{ free(${x}); ${x} = NULL; }`);
const freeChild = fc
  .tuple(condition, variable, link)
  .map(([when, x, l]) => `${when}if (${x}) { free(${x}->${l}); ${x}->${l} = NULL; }`);
const make = fc
  .tuple(condition, fc.constantFrom('p', 'q', 'NULL'), fc.constantFrom('r', 'NULL'), fc.constantFrom('m', 'c'))
  .map(([when, l, r, how]) =>
    how === 'c'
      ? `${when}{ s = calloc(1, sizeof *s); s->right = ${r}; }`
      : `${when}{ s = malloc(sizeof *s); s->left = ${l}; s->right = ${r}; }`,
  );
const recur = fc
  .tuple(fc.constantFrom('', '', 'r = ', 'p->left = ', 'p->right = ', 'q->left = '), argument, argument)
  .map(
    ([to, first, second]) =>
      `if (k > 0 && ${mayUse(to)}${mayUse(first)}${mayUse(second)}1) ${to}f(${first}, ${second}, k - 1);`,
  );
const rotations = [
  'if (p && p->left) { r = p->left; p->left = r->right; r->right = p; }',
  'if (p && p->left && p->left->left) { r = p->left; s = r->left; p->left = s; r->left = s->right; s->right = r; }',
  'if (p) { s = malloc(sizeof *s); s->left = p->left; s->right = NULL; p->left = s; }',
  'if (p) { r = p->left; p->left = p->right; p->right = r; }',
  'if (p && p->left) { r = p->left; p->left = r->left; r->left = NULL; p->right = r; }',
] as const;
const other = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...rotations) },
  {
    weight: 2,
    arbitrary: fc.tuple(argument, argument).map(([x, y]) => `if (${mayUse(x)}${mayUse(y)}1) g(${x}, ${y}, k);`),
  },
  { weight: 1, arbitrary: fc.constant('if (p && r) *r = *p;') },
  { weight: 1, arbitrary: fc.constant('if (q) { struct n local = *q; local.left = p; r = local.right; }') },
);
const step = fc.oneof(
  { weight: 4, arbitrary: store },
  { weight: 3, arbitrary: load },
  { weight: 2, arbitrary: free },
  { weight: 1, arbitrary: freeChild },
  { weight: 2, arbitrary: make },
  { weight: 5, arbitrary: recur },
  { weight: 4, arbitrary: other },
);
const helperStep = fc.oneof(
  store,
  load,
  free,
  fc.constant('if (k > 0 && p) g(p->left, q, k - 1);'),
  fc.constantFrom(...rotations),
);
/** Walks over whole trees are what programs have, and are seldom drawn at random. */
const walk = fc
  .tuple(
    fc.constantFrom('', 'if (p) p->left = NULL;', 'if (k & 1) { if (p) p->right = q; }', 'if (q) r = q->left;'),
    fc.constantFrom('f(p->left, q, k - 1);', 'f(p->left, NULL, k - 1);', 'f(p->left, p->right, k - 1);'),
    fc.constantFrom('', 'f(p->right, q, k - 1);', 'f(p->right, NULL, k - 1);', 'p->right = f(p->right, q, k - 1);'),
    fc.constantFrom('free(p); return NULL;', 'if (k & 1) { free(p); return NULL; }', ...rotations),
  )
  .map(([first, ...rest]) => [first, `if (p && k > 0) { ${rest.join(' ')} }`]);

const ofOther = (text: string): string => text.replaceAll('p', 'q');
/** Both arguments' trees are turned. */
const bothTurning = fc
  .tuple(
    fc.constantFrom(...rotations.slice(1)),
    fc.constantFrom(...rotations.slice(1)),
    fc.constantFrom('f(p->left, p, k - 1);', 'f(p, p->left, k - 1);', 'f(p->left, q, k - 1);'),
  )
  .map(([ofFirst, ofSecond, recursion]) => [ofFirst, ofOther(ofSecond), `if (p && k > 0) ${recursion}`]);

/** Arguments are linked or copied, and nothing is loaded. */
const linking = fc
  .tuple(
    fc.constantFrom(
      'if (p) p->left = q;',
      'if (p && q) *p = *q;',
      's = malloc(sizeof *s); s->left = p; s->right = NULL;',
      'g(p, q, k);',
      'if (q) { q->left = NULL; q->right = p; }',
    ),
    fc.constantFrom('f(q, p, k - 1);', 'f(p, NULL, k - 1);', 'f(NULL, q, k - 1);', 's = f(p, q, k - 1);'),
    fc.constantFrom('', 'free(p);', 'if (s) s->right = q;'),
  )
  .map(([first, recursion, last]) => [first, `if (k > 0) ${recursion}`, `if (k == 1) { ${last} }`]);

/** Trees are turned before others are, or after. */
const turning = fc
  .tuple(
    fc.constantFrom('left', 'right'),
    fc.constantFrom(...rotations),
    fc.constantFrom('', ...rotations),
    fc.boolean(),
  )
  .map(([first, rotation, then, isBefore]) => {
    const recursion = `if (p && k > 0) f(p->${first}, NULL, k - 1);`;
    return [...(isBefore ? [rotation, recursion] : [recursion, rotation]), then];
  });

const textOf = (steps: string, helper: string, result: string): string => `#include <stdlib.h>
struct n { int v; struct n *left, *right; };
static struct n *t[3];
static struct n *walked;
static void g(struct n *p, struct n *q, int k) {
  struct n *r = NULL, *s = NULL;
  ${helper}
}
static struct n *f(struct n *p, struct n *q, int k) {
  struct n *r = NULL, *s = NULL;
  ${steps}
  return ${result};
}
void walk(int which) {
  struct n *p = walked;
  while (p) if (which) p = p->left; else p = p->right;
}
void build(int i, int l, int r, int shares) {
  struct n *one = malloc(sizeof *one);
  one->left = l < 3 ? t[l] : NULL;
  if (l < 3 && !(shares & 1)) t[l] = NULL;
  one->right = r < 3 ? t[r] : NULL;
  if (r < 3 && !(shares & 2)) t[r] = NULL;
  t[i] = walked = one;
}
void link(int i, int l, int j) { if (t[i]) { if (l) t[i]->left = t[j]; else t[i]->right = t[j]; } }
void drop(int i) { free(t[i]); }
void call(int i, int j, int k) {
  struct n *r = f(t[i] ? t[i] : t[(i + 1) % 3], t[j], k);
  walked = NULL;
  if (r) walked = NULL;
}
`;
const functionText = fc
  .tuple(
    fc.oneof(fc.array(step, { minLength: 2, maxLength: 6 }), walk, turning, bothTurning, linking),
    fc.oneof(fc.constant(['if (p) p->left = q;']), fc.array(helperStep, { minLength: 1, maxLength: 3 })),
    variable,
  )
  .map(([steps, helper, result]) => textOf(steps.join('\n  '), helper.join('\n  '), result));
const treeText = textOf('if (p && k > 0) { f(p->left, q, k - 1); f(p->right, q, k - 1); }', '', 'p');

/**
 * Kinds that are seldom drawn: a callee links its arguments; only a new object is linked; and an argument's object that
 * was cut off, and so still has its parent, is linked to it.
 */
const seldomDrawn = [
  textOf('g(p, q, k);\n  if (k > 0) f(NULL, q, k - 1);', 'if (p) p->left = q;', 'NULL'),
  textOf('s = malloc(sizeof *s); s->left = p; s->right = NULL; if (k & 1) return p; if (k) f(q, p, k - 1);', '', 's'),
  textOf(
    [
      'if (k == 1 && p && q) { r = q->left; if (r) p->left = r; }',
      'if (k == 2 && p && p->left && p->left->left) { r = p->left; s = r->left; r->left = NULL; f(s, p, k - 1); }',
    ].join('\n  '),
    '',
    'NULL',
  ),
];

/** Offsets in the table of nodes are below it. */
const tableBytes = 24;
const place = fc.constantFrom(0, 1, 2);
const child = fc.constantFrom(0, 1, 2, 3);
const run = fc.record({
  builds: fc.array(fc.tuple(place, child, child, fc.constantFrom(0, 0, 1, 2, 3)), {
    minLength: 7,
    maxLength: 9,
  }),
  links: fc.oneof(fc.constant([]), fc.array(fc.tuple(place, fc.nat({ max: 1 }), place), { maxLength: 2 })),
  drops: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(place, { maxLength: 2 }) },
  ),
  call: fc.tuple(place, place, fc.constantFrom(1, 2, 3, 4, 5, 6)),
});

type Run = typeof run extends fc.Arbitrary<infer T> ? T : never;

/** The history variables of a forest, as `adopt`, `beginChild` and `endChild` define them. */
class History {
  readonly parents = new Map<number, number>();
  /** Pairs of different objects that are related. */
  private related = new Map<number, Set<number>>();
  acyclic = true;

  /** `isMade`: by an allocation of the region. */
  constructor(
    private readonly isMade: (object: number) => boolean,
    private readonly isLive: (object: number) => boolean,
  ) {}

  fork(): History {
    const copy = new History(this.isMade, this.isLive);
    for (const [child, parent] of this.parents) copy.parents.set(child, parent);
    copy.related = this.related;
    copy.acyclic = this.acyclic;
    return copy;
  }

  parent(object: number): number {
    return this.parents.get(object) ?? 0;
  }

  isBelow(object: number, of: number): boolean {
    return object === of || this.related.get(object)?.has(of) === true;
  }

  begin(object: number): void {
    this.parents.set(object, 0);
  }

  end(object: number): void {
    this.linkTo(object, object, false);
  }

  adopt(object: number, child: number): void {
    if (!this.isMade(child)) return;
    if (this.parent(object) === child) {
      this.parents.set(object, 0);
      this.linkTo(object, object, false);
    }
    this.parents.set(child, object);
    const isLink = this.isMade(child) && this.isLive(child) && this.isMade(object);
    if (isLink && this.isBelow(object, child)) this.acyclic = false;
    this.linkTo(child, object, isLink);
  }

  private linkTo(object: number, target: number, isLink: boolean): void {
    const before = this.related;
    const was = (a: number, b: number): boolean => a === b || before.get(a)?.has(b) === true;
    const all = new Set([...this.parents.keys(), ...before.keys(), object, target]);
    const after = new Map<number, Set<number>>();
    for (const a of all) {
      const found = new Set<number>();
      for (const b of all) {
        const isCut = !(was(a, b) && (!was(a, object) || was(b, object)));
        if (a !== b && (!isCut || (isLink && was(a, object) && was(target, b)))) found.add(b);
      }
      if (found.size > 0) after.set(a, found);
    }
    this.related = after;
  }
}

/** A state that no longer changes: of each memory variable its value, and the history. */
interface Seen {
  readonly next: number;
  readonly history: History;
  readonly links: ReadonlyMap<number, readonly number[]>;
  readonly live: ReadonlySet<number>;
  readonly memory: (variable: MemoryVariable) => Value;
}

/** A call that is under way. */
interface Pending {
  readonly depth: number;
  readonly transition: Return;
  readonly before: Seen;
  readonly caller: (symbol: SymbolTerm) => Value;
  passed: readonly number[];
}

/** How a return is compared: the sets of objects and witnesses that its axioms mention, and these. */
interface Return {
  readonly transition: Transition;
  readonly callee: FunctionDefinition;
  readonly from: Location;
  readonly to: Location;
  readonly sets: readonly { readonly set: SymbolTerm; readonly last: SymbolTerm; readonly parameter: number }[];
  readonly ofParents: Compiled;
  readonly ofAncestors: Compiled;
  readonly ofObjects: Compiled;
  /** What freed objects hold is not kept in runs. */
  readonly ofSlots: Compiled;
  readonly ofResult: Compiled;
  readonly result: { readonly object: Term; readonly offset: Term } | undefined;
}

const [one, two] = ['one', 'two'] as const;
type Claims = 'those of the analysis' | 'no link leads beyond' | 'only arguments are reached';

class Comparison {
  readonly count = {
    /** Calls of which something is said. */
    calls: 0,
    /** A parent of an object that was not reached is kept, and another object's has changed. */
    keptWhereOthersChange: 0,
    /** So is that of an argument's object. */
    keptFirst: 0,
    keptAncestors: 0,
    onlyFrees: 0,
    wrong: 0,
    /** An argument's object has another parent behind a call that links to it. */
    wrongFirst: 0,
  };
  private readonly system: TransitionSystem;
  readonly memoryModel: MemoryModel;
  readonly forest: ForestVariables | undefined;
  private readonly returns: readonly Return[];

  constructor(
    private readonly program: Program,
    private readonly claims: Claims,
  ) {
    this.system = new TransitionSystem(program, {
      ...plainOptions,
      mode: 'module',
      entries: ['walk', 'build', 'link', 'drop', 'call'].map((entry) => program.functionByName.get(entry)!),
      checkedProperties: new Set(['memsafety']),
    });
    this.memoryModel = this.system.memoryModel;
    this.forest = this.memoryModel.forests[0];
    this.returns = this.forest
      ? this.system.transitions.flatMap((transition) =>
          transition.kind === 'return' ? [this.returnOf(transition, transition.summary!.entry.fn)] : [],
        )
      : [];
  }

  private returnOf(transition: Transition, callee: FunctionDefinition): Return {
    const { vocabulary, memoryModel } = this.system;
    const forest = this.forest!;
    const [o, other] = [one, two].map((name) => L.symbol(name, memoryModel.halfSort)) as [SymbolTerm, SymbolTerm];
    const { contents } = transition.summary!.exitState.memory;
    const about = (array: Term, index: Term): Term =>
      L.and(...vocabulary.kept.ofRead(L.select(array, index) as Application));
    const of = ({ index }: MemoryVariable, at: Term): Term =>
      contents[index]!.kind === 'symbol' ? about(contents[index]!, at) : L.TRUE;
    const parents = of(forest.parents, o);
    const ancestors = of(forest.ancestors, L.concat(o, other));
    const at = (choose: (memory: MemoryVariable) => boolean): Term =>
      L.and(
        ...memoryModel.variables
          .filter(({ sort }) => sort.kind === 'array' && sort.index === memoryModel.halfSort)
          .flatMap((memory) => (choose(memory) ? [of(memory, o)] : [])),
      );
    const objects = at(({ role }) => role.kind !== 'parent' && role.kind !== 'slot');
    const slots = at(({ role }) => role.kind === 'slot' && role.node === forest.node);
    const { resultVariable } = callee;
    const result = resultVariable && asPointer(transition.summary!.exitState.locals[resultVariable.slot]!);
    const isOfSet = ({ name }: SymbolTerm): boolean => name.includes(':reached from ');
    const ofResult = transition.axioms.filter((axiom) => [...symbolsOf(axiom)].some(isOfSet));
    const all = [parents, ancestors, slots, objects, ...ofResult];
    const named = new Map([...new Set(all.flatMap((term) => [...symbolsOf(term)]))].map((one) => [one.name, one]));
    const sets = [...named.values()].filter(isOfSet).map((set) => {
      const [, parameter] = set.name.split(':reached from ') as [string, string];
      // Both symbols are made in one go.
      const last = [...named.values()].find(({ name }) => name.endsWith(`:last from ${parameter}`))!;
      return { set, last, parameter: callee.parameters.findIndex(({ name }) => name === parameter) };
    });
    const location = transition.from!.location;
    return {
      transition,
      callee,
      from: location,
      to: location.edges[0]!.to,
      sets,
      ofParents: compile(parents),
      ofAncestors: compile(ancestors),
      ofObjects: compile(objects),
      ofSlots: compile(slots),
      ofResult: compile(L.and(...ofResult)),
      result,
    };
  }

  /** Calls from one heap. */
  run({ builds, links, drops, call }: Run): void {
    const { program } = this;
    const machine = new Machine(program, {
      properties: new Set(['memsafety']),
      output: () => {},
      execution: 'reference',
      stepLimit: 3000,
    });
    const history = this.historyOf(machine);
    const invoke = (name: string, ...args: readonly ConcreteValue[]): boolean =>
      machine.call(program.functionByName.get(name)!, args).kind === 'returned';
    for (const args of builds) invoke('build', ...args);
    for (const [i, l, j] of links) invoke('link', i, l, j);
    for (const i of drops) invoke('drop', i);
    const pending: Pending[] = [];
    const starts = new Map(this.returns.map((one) => [one.from, one]));
    const ends = new Set(this.returns.map(({ to }) => to));
    const entries = new Map(this.returns.map(({ callee }) => [callee.entry, callee.parameters]));
    machine.observer = {
      locations: new Set([...starts.keys(), ...ends, ...entries.keys()]),
      visit: (location, activation) => {
        const depth = machine.activations.length;
        const parameters = entries.get(location);
        const call = pending.at(-1);
        if (parameters && call?.depth === depth - 1)
          call.passed = parameters.map(({ type }, i) =>
            type.kind === 'pointer' ? objectNumber(activation.locals[i]!) : 0,
          );
        const last = pending.at(-1);
        if (ends.has(location) && last?.transition.to === location && last.depth === depth) {
          pending.pop();
          this.compare(last, this.seen(machine, history), activation);
        }
        const transition = starts.get(location);
        if (transition) {
          const before = this.seen(machine, history);
          pending.push({ depth, transition, before, caller: this.callerOf(machine, activation), passed: [] });
        }
      },
    };
    invoke('call', ...call);
  }

  /** The history of all that the machine does from now on. */
  private historyOf({ memory }: Machine): History {
    const forest = this.forest!;
    const { memoryModel } = this;
    const region = memoryModel.allocationSiteOf(forest.node);
    const isMade = (object: number): boolean =>
      object > memoryModel.lastStatic && regionOf(memory.block(pointerTo(object)), memoryModel) === region;
    const history = new History(isMade, (object) => memory.isLive(pointerTo(object)) === 1);
    const { allocate, free: end, store: write } = memory;
    memory.allocate = (...args) => {
      const made = allocate.apply(memory, args);
      if (isMade(objectNumber(made))) history.begin(objectNumber(made));
      return made;
    };
    memory.free = (pointer) => {
      end.call(memory, pointer);
      if (objectNumber(pointer) !== 0) history.end(objectNumber(pointer));
    };
    memory.store = (address, type, stored) => {
      write.call(memory, address, type, stored);
      const object = objectNumber(address);
      const at = forest.links.find(({ slot }) => slot.offset === offsetBytes(address));
      const origin = memory.block(pointerTo(object))?.origin;
      const isMember = origin !== undefined && memoryModel.regions.nodeOfOrigin(origin) === forest.node;
      if (type.kind === 'pointer' && at && isMember && offsetBytes(stored) === at.offset)
        history.adopt(object, objectNumber(stored));
    };
    return history;
  }

  /** The values of an activation's variables now. */
  private callerOf(machine: Machine, activation: Activation): (symbol: SymbolTerm) => Value {
    const { vocabulary } = this.system;
    const state = {
      globals: [...machine.globals],
      memory: machine.memory,
      activation: { ...activation, locals: [...activation.locals], objects: [...activation.objects] },
      activations: [],
    };
    return new ConcreteView(vocabulary, state).value;
  }

  private seen(machine: Machine, history: History): Seen {
    const forest = this.forest!;
    const { memoryModel } = this;
    const { memory } = machine;
    const kept = history.fork();
    const next = memory.nextNumber;
    const links = new Map<number, readonly number[]>();
    const live = new Set<number>();
    for (const block of memory.liveBlocks()) {
      live.add(block.number);
      if (block.number <= memoryModel.lastStatic || block.sizeBytes < 24) continue;
      const to = forest.links.map(({ slot }) =>
        objectNumber(memory.load(pointerTo(block.number, slot.offset), slot.type)),
      );
      links.set(block.number, to);
    }
    const view = new ConcreteView(this.system.vocabulary, {
      globals: [],
      memory,
      activation: undefined,
      activations: [],
    });
    const values = new Map<MemoryVariable, Value>();
    for (const variable of memoryModel.variables) {
      const { role, sort, index } = variable;
      const symbol = this.system.vocabulary.symbolOf({ ...variable, index });
      if (symbol.kind !== 'symbol') continue;
      const isByObject = sort.kind === 'array' && sort.index === memoryModel.halfSort;
      if (role.kind === 'allocation-counter') values.set(variable, BigInt(next));
      if (!isByObject || !['live', 'heap', 'size', 'allocation-site', 'slot', 'written'].includes(role.kind)) continue;
      const array = view.value(symbol) as ArrayValue;
      const known = Array.from({ length: Math.max(next + 1, tableBytes) }, (_, i) => readArray(array, BigInt(i)));
      values.set(
        variable,
        lazyArray((i) => known[Number(i)] ?? array.default, array.default),
      );
    }
    const half = BigInt(memoryModel.half);
    values.set(
      forest.parents,
      lazyArray((i) => BigInt(kept.parent(Number(i))), 0n),
    );
    values.set(
      forest.ancestors,
      lazyArray((i) => kept.isBelow(Number(i >> half), Number(BigInt.asUintN(memoryModel.half, i))), false),
    );
    values.set(forest.acyclic, kept.acyclic);
    return {
      next,
      history: kept,
      links,
      live,
      memory: (variable) => {
        const found = values.get(variable);
        if (found === undefined) throw new Error(`${variable.name} is in no axiom`);
        return found;
      },
    };
  }

  /** The argument's object, and all that it reached along links of live objects. */
  private reachedIn({ links }: Seen, from: number): ReadonlySet<number> {
    const found = new Set([from]);
    if (this.claims !== 'only arguments are reached')
      for (const one of found) for (const to of links.get(one) ?? []) if (to !== 0) found.add(to);
    return found;
  }

  /** An object below the argument's with a link that leads elsewhere, or to the argument's. */
  private leaving({ links, history }: Seen, from: number, reached: ReadonlySet<number>): number {
    if (this.claims === 'no link leads beyond') return 0;
    for (const last of reached) {
      if (last === 0 || !history.isBelow(last, from)) continue;
      if ((links.get(last) ?? []).some((to) => to !== 0 && (to === from || !history.isBelow(to, from)))) return last;
    }
    return 0;
  }

  private compare({ transition, before, caller, passed }: Pending, after: Seen, { locals }: Activation): void {
    const { count, memoryModel, system } = this;
    const fn = transition.callee;
    const forest = this.forest!;
    const { objects } = system.builder.effects;
    const left = leftOfParents(fn, forest, objects);
    const values = new Map<SymbolTerm, Value>();
    const trees = passed.map((from) => {
      const reached = this.reachedIn(before, from);
      return { from, reached, last: this.leaving(before, from, reached) };
    });
    for (const { set, last, parameter } of transition.sets) {
      const tree = trees[parameter]!;
      values.set(
        set,
        lazyArray((i) => tree.reached.has(Number(i)), false),
      );
      if (last) values.set(last, BigInt(tree.last));
    }
    const { contents } = transition.transition.summary!.exitState.memory;
    const later = new Map(memoryModel.variables.map((memory, i) => [contents[i]!, memory]));
    const result = machineResult(transition, locals);
    const environment = (symbol: SymbolTerm): Value => {
      const known = values.get(symbol);
      if (known !== undefined) return known;
      if (symbol === transition.result?.object) return BigInt(objectNumber(result));
      const meaning = system.vocabulary.meaning(symbol);
      if (meaning?.kind === 'memory') return before.memory(meaning.memory);
      const memory = later.get(symbol);
      return memory ? after.memory(memory) : caller(symbol);
    };
    const name = (text: string): SymbolTerm => L.symbol(text, memoryModel.halfSort);
    let isWrong = result !== undefined && transition.ofResult(environment) !== true;
    const all = [...after.history.parents.keys()];
    for (const from of all) {
      values.set(name(one), BigInt(from));
      isWrong ||= transition.ofParents(environment) !== true || transition.ofObjects(environment) !== true;
      if (after.live.has(from)) isWrong ||= transition.ofSlots(environment) !== true;
      for (const to of all) {
        values.set(name(two), BigInt(to));
        isWrong ||= transition.ofAncestors(environment) !== true;
      }
    }
    // A variable that is not havocked must be the same.
    const isSame = (object: number): boolean => before.history.parent(object) === after.history.parent(object);
    const older = all.filter((object) => object < before.next);
    const isModified = (memory: MemoryVariable): boolean => system.builder.effects.of(fn).memory.has(memory);
    if (!isModified(forest.parents)) isWrong ||= older.some((object) => !isSame(object));
    if (!isModified(forest.ancestors))
      isWrong ||= older.some((a) => older.some((b) => before.history.isBelow(a, b) !== after.history.isBelow(a, b)));
    if (!isModified(forest.acyclic)) isWrong ||= before.history.acyclic !== after.history.acyclic;
    if (isWrong) count.wrong++;
    if (!left) return;
    count.calls++;
    if (left.onlyFrees) count.onlyFrees++;
    const changes = older.some((object) => !isSame(object));
    const sets = trees.filter((_, i) => left.from.has(i));
    const isKept = older.some(
      (object) => before.history.parent(object) !== 0 && sets.every(({ reached }) => !reached.has(object)),
    );
    if (isKept && changes) count.keptWhereOthersChange++;
    const isWhole = before.history.acyclic && sets.every(({ last }) => last === 0);
    const isAlone = (at: number): boolean =>
      sets.every(({ from }, i) => i === at || !before.history.isBelow(sets[at]!.from, from));
    sets.forEach(({ from }, at) => {
      if (!isWhole || !isAlone(at) || before.history.parent(from) === 0) return;
      if (left.keepsFirst && changes) count.keptFirst++;
      // This would be said if the analysis forgot that the call links to its argument.
      if (!left.keepsFirst && !isSame(from)) count.wrongFirst++;
    });
    if (
      after.history.acyclic &&
      isWhole &&
      all.some((a) =>
        all.some(
          (b) => a !== b && before.history.isBelow(a, b) && sets.every(({ from }) => !before.history.isBelow(a, from)),
        ),
      )
    )
      count.keptAncestors++;
  }
}

/** The pointer that the call returned, where the caller keeps it in a variable. */
function machineResult({ transition }: Return, locals: readonly ConcreteValue[]): ConcreteValue {
  const { command } = transition.from!.location.edges[0]!;
  const target = command.kind === 'call' ? command.target : undefined;
  return target?.scope === 'local' ? locals[target.slot]! : 0;
}

const programOf = (text: string): Program =>
  loadProgram([file(text)], { externals: 'any', inlines: { allBut: new Set(), of: 'module' } });
type Counts = Comparison['count'];

function compared(claims: Claims, numRuns: number): Counts {
  const total: Partial<Counts> = {};
  fc.assert(
    fc.property(functionText, fc.array(run, { minLength: 16, maxLength: 16 }), (text, calls) => {
      const comparison = new Comparison(programOf(text), claims);
      if (!comparison.forest) return;
      for (const one of calls) comparison.run(one);
      const { count } = comparison;
      if (claims === 'those of the analysis' && count.wrong > 0) throw new Error(`wrong after a call in\n${text}`);
      for (const key of Object.keys(count) as (keyof Counts)[]) total[key] = (total[key] ?? 0) + count[key];
    }),
    { numRuns, examples: seldomDrawn.map((text, seed) => [text, fc.sample(run, { numRuns: 64, seed })]) },
  );
  return total as Counts;
}

test('calls leave what is said of them', () => {
  const count = compared('those of the analysis', runs(180));
  expect(count.wrong).toBe(0);
  expect(count.calls).toBeGreaterThan(runs(2400));
  expect(count.keptWhereOthersChange).toBeGreaterThan(runs(120));
  expect(count.keptAncestors).toBeGreaterThan(runs(1000));
  expect(count.keptFirst).toBeGreaterThan(0);
  expect(count.onlyFrees).toBeGreaterThan(runs(120));
  expect(count.wrongFirst).toBeGreaterThan(runs(15));
}, 120_000);

test.each(['no link leads beyond', 'only arguments are reached'] as const)(
  'it is found wrong to say that %s',
  (claims) => {
    expect(compared(claims, runs(45)).wrong).toBeGreaterThan(runs(15));
  },
  60_000,
);

const change = fc.record({
  kind: fc.constantFrom('make', 'link', 'link', 'link', 'end'),
  object: fc.nat({ max: 4 }),
  to: fc.nat({ max: 5 }),
});

test('the history that runs keep is that of the formulas', () => {
  const program = programOf(treeText);
  const { memoryModel, transitions } = programSystem(program, program.functionByName.get('call')!);
  const initial = transitions.find(({ kind }) => kind === 'start')!.ends[0]!.state.memory.contents;
  const [forest] = memoryModel.forests;
  if (!forest) throw new Error('the function goes along both links');
  const word = (object: number): Term => L.bits(BigInt(object), memoryModel.half);
  let cyclic = 0;
  fc.assert(
    fc.property(fc.array(change, { maxLength: 10 }), (changes) => {
      const contents = [...initial];
      const [made, live] = [new Set<number>(), new Set<number>()];
      const history = new History(
        (object) => made.has(object),
        (object) => live.has(object),
      );
      const set = ({ index }: MemoryVariable, object: number, to: Term): void => {
        contents[index] = L.store(contents[index]!, word(object), to);
      };
      let next = memoryModel.lastStatic + 1;
      const make = (): void => {
        set(memoryModel.live, next, L.TRUE);
        set(memoryModel.allocationSite, next, word(Number(memoryModel.allocationSiteOf(forest.node))));
        beginChild(forest, word(next), contents);
        made.add(next);
        live.add(next);
        history.begin(next++);
      };
      for (let i = 0; i < 3; i++) make();
      for (const { kind, object: chosen, to } of changes) {
        const [object, child] = [[...made][chosen], to === 5 ? 0 : [...made][to]];
        if (kind === 'make' && made.size < 5) make();
        if (object === undefined || child === undefined) continue;
        if (kind === 'end') {
          live.delete(object);
          set(memoryModel.live, object, L.FALSE);
          endChild(forest, word(object), contents);
          history.end(object);
        } else if (kind === 'link') {
          const place = { object: word(child), offset: word(0) };
          adopt(forest, forest.links[0]!, word(object), place, contents, memoryModel);
          history.adopt(object, child);
        }
      }
      expect(contents[forest.acyclic.index]).toBe(L.bool(history.acyclic));
      if (!history.acyclic) cyclic++;
      for (const a of made) {
        expect(L.select(contents[forest.parents.index]!, word(a))).toBe(word(history.parent(a)));
        for (const b of made) {
          const related = L.related(contents[forest.ancestors.index]!, word(a), word(b));
          expect(related).toBe(L.bool(history.isBelow(a, b)));
        }
      }
    }),
    { numRuns: runs(600) },
  );
  expect(cyclic).toBeGreaterThan(10);
});
