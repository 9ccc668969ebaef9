/**
 * Reachability as segments have it, and as it is: random straight programs over nodes with two links are executed, and
 * the relations of the state that their segment ends in, and its counts of what is reached, are evaluated and compared
 * with a walk.
 */
import * as fc from 'fast-check';
import { ConcreteView } from '../../../src/abstraction/transitionSystem/concreteView';
import * as L from '../../../src/logic/build';
import { evaluate, evaluateInto } from '../../../src/logic/evaluate';
import { arrayValue } from '../../../src/logic/arrays/arrayValue';
import type { SymbolTerm, Term, Value } from '../../../src/logic/term';
import { chainIn } from '../../../src/semantics/symbolic/linkedMemory';
import { hasLink, instancesOf } from '../../../src/logic/links/chains';
import { Machine } from '../../../src/semantics';
import { FreshSymbols } from '../../../src/semantics/symbolic/symbolicValues';
import { programOf } from '../cPrograms';
import { isLong } from '../../long';
import { programSystem } from '../../abstraction/programSystem';

const walks = Number(process.env.PROVEST_RUNS ?? (isLong ? 60 : 25));
const heaps = Number(process.env.PROVEST_RUNS ?? (isLong ? 40 : 16));

const variable = fc.constantFrom('a', 'b', 'c', 'd');
const link = fc.constantFrom('next', 'other');
const statement = fc.oneof(
  { weight: 4, arbitrary: variable.map((p) => `${p} = raw(); ${p}->next = 0; ${p}->other = 0;`) },
  { weight: 1, arbitrary: variable.map((p) => `${p} = zeroed();`) },
  { weight: 6, arbitrary: fc.tuple(variable, link, variable).map(([p, f, q]) => `if (${p}) ${p}->${f} = ${q};`) },
  { weight: 2, arbitrary: fc.tuple(variable, link, variable).map(([p, f, q]) => `if (${p}) ${q} = ${p}->${f};`) },
  { weight: 1, arbitrary: fc.tuple(variable, link).map(([p, f]) => `if (${p}) ${p}->${f} = 0;`) },
  {
    weight: 1,
    arbitrary: fc.tuple(variable, variable).map(([p, q]) => `if (${p} && ${q} && ${p} != ${q}) *${p} = *${q};`),
  },
  { weight: 1, arbitrary: fc.tuple(variable, link).map(([p, f]) => `head.${f} = ${p};`) },
  { weight: 1, arbitrary: fc.tuple(variable, link).map(([p, f]) => `if (${p}) ${p}->${f} = &head;`) },
  { weight: 1, arbitrary: variable.map((p) => `${p} = &head;`) },
  {
    weight: 1,
    arbitrary: variable.map(
      (p) => `if (${p} && ${p} != &head) {
        t = ${p}; if (a == t) a = 0; if (b == t) b = 0; if (c == t) c = 0; if (d == t) d = 0; free(t); t = 0; }`,
    ),
  },
);

const textOf = (statements: readonly string[]): string => `
  #include <stdlib.h>
  struct node { int value; struct node *next, *other; };
  static struct node head, *a, *b, *c, *d, *t;
  static struct node *zeroed(void) { return calloc(1, sizeof(struct node)); }
  static struct node *raw(void) { return malloc(sizeof(struct node)); }
  static void begin(void) {
    a = zeroed(); b = zeroed(); c = zeroed();
    a->next = b; b->next = c; c->other = b; b->other = a;
  }
  void f(void) {
    ${statements[0] === 'begin();' ? '' : 'if (!a) begin();'}
    ${statements.join('\n    ')}
  }`;

/** Nodes that others lead to before their own links are written. What was never written is not read. */
const linkingFirst = fc.oneof(
  { weight: 3, arbitrary: variable.map((p) => `${p} = raw();`) },
  { weight: 2, arbitrary: fc.tuple(variable, link).map(([p, f]) => `if (${p}) ${p}->${f} = raw();`) },
  { weight: 1, arbitrary: variable.map((p) => `${p} = zeroed();`) },
  { weight: 5, arbitrary: fc.tuple(variable, link, variable).map(([p, f, q]) => `if (${p}) ${p}->${f} = ${q};`) },
  { weight: 1, arbitrary: fc.tuple(variable, link).map(([p, f]) => `if (${p}) ${p}->${f} = 0;`) },
  {
    weight: 1,
    arbitrary: variable.map(
      (p) => `if (${p}) {
        t = ${p}; if (a == t) a = 0; if (b == t) b = 0; if (c == t) c = 0; if (d == t) d = 0; free(t); t = 0; }`,
    ),
  },
);

test.each([
  ['of nodes whose links are written first', statement, undefined],
  ['of nodes that others lead to first', linkingFirst, 'linked first'],
])(
  'after any writes, allocations and frees %s, reachability is what a walk finds',
  (_, statementOf, asked) => {
    let [compared, cyclic, longest, linkedFirst] = [0, 0, 0, 0];
    fc.assert(
      fc.property(fc.array(statementOf, { minLength: 3, maxLength: 14 }), (random) => {
        const statements = ['begin();', ...random];
        const program = programOf(textOf(statements));
        const fn = program.functionByName.get('f')!;
        const system = programSystem(program, fn);
        const { memoryModel, vocabulary } = system;
        const machine = new Machine(program);
        const view = new ConcreteView(vocabulary, {
          globals: machine.globals,
          memory: machine.memory,
          activation: undefined,
          activations: machine.activations,
        });
        const closed = memoryModel.links.map(() => false);
        const seen = (): void =>
          memoryModel.links.forEach(({ acyclic }, i) => {
            closed[i] ||= view.value(vocabulary.symbolOf(acyclic) as SymbolTerm) === false;
          });
        machine.observer = { locations: new Set(fn.locations), visit: seen };
        const segment = system.builder.buildFrom(
          fn,
          fn.entry,
          system.transitions.find(({ kind }) => kind === 'start')!.ends[0]!.state,
          new FreshSymbols('law'),
          L.TRUE,
        );
        const next = machine.memory.nextNumber;
        if (machine.call(fn, []).kind !== 'returned') return;
        seen();
        const start = (symbol: SymbolTerm): Value => {
          const meaning = vocabulary.meaning(symbol);
          if (meaning?.kind === 'memory' && meaning.memory === memoryModel.allocationCounter) return BigInt(next);
          return symbol.sort.kind === 'array'
            ? { default: symbol.sort.element === L.boolSort ? false : 0n, entries: new Map() }
            : symbol.sort.kind === 'boolean'
              ? false
              : 0n;
        };
        const end = segment.ends.find(({ to }) => to === fn.exit)!;
        expect(evaluate(end.guard, start)).toBe(true);
        const objects = Array.from({ length: machine.memory.nextNumber + 1 }, (_, i) =>
          L.bits(BigInt(i), memoryModel.half),
        );
        memoryModel.links.forEach(({ reach, count, acyclic, linked }, i) => {
          const isAcyclic = evaluate(end.state.memory.contents[acyclic.index]!, start);
          const counted = objects.map((from) =>
            Number(evaluate(L.select(end.state.memory.contents[count!.index]!, from), start)),
          );
          // Also where a cycle was closed they are those of an earlier state.
          expect(counted.every((many) => many >= 1 && many <= objects.length)).toBe(true);
          expect(isAcyclic).toBe(!closed[i]);
          if (!isAcyclic) {
            cyclic++;
            return;
          }
          compared++;
          linkedFirst += Number(linked !== undefined);
          for (const [at, from] of objects.entries()) {
            let reached = 0;
            for (const to of objects) {
              const found = evaluate(L.related(end.state.memory.contents[reach.index]!, from, to), start);
              const is = evaluate(L.related(vocabulary.symbolOf(reach), from, to), view.value);
              if (found !== is)
                throw new Error(`${textOf(statements)}\n${reach.name}: ${String(found)}, not ${String(is)}`);
              reached += Number(is);
            }
            longest = Math.max(longest, reached);
            if (counted[at] !== reached)
              throw new Error(`${textOf(statements)}\n${count!.name}: ${String(counted[at])}`);
          }
        });
      }),
      { numRuns: walks },
    );
    expect(compared).toBeGreaterThan(walks);
    expect(cyclic).toBeGreaterThan(walks / 15);
    expect(longest).toBeGreaterThanOrEqual(4);
    expect(linkedFirst > compared / 4).toBe(asked !== undefined);
  },
  60_000,
);

/** By node: where its two links lead, 0 nowhere; a node of a higher number, or one of any number in a dead one. */
const nodes = 4;
const base = fc.record({
  links: fc.array(fc.array(fc.integer({ min: 1, max: nodes }), { minLength: 2, maxLength: 2 }), {
    minLength: nodes + 1,
    maxLength: nodes + 1,
  }),
  live: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: nodes + 1, maxLength: nodes + 1 }),
  variables: fc.array(fc.integer({ min: 1, max: nodes }), { minLength: 5, maxLength: 5 }),
  /** Links of objects that are still to be made. */
  junk: fc.integer({ min: 1, max: nodes }),
});

test('from any heap without cycles, the laws hold afterwards, and reachability is along the links', () => {
  let [kept, withLinks, linkedFirst] = [0, 0, 0];
  fc.assert(
    fc.property(
      fc.array(fc.oneof({ weight: 2, arbitrary: statement }, { weight: 1, arbitrary: linkingFirst }), {
        minLength: 1,
        maxLength: 6,
      }),
      base,
      (statements, { links, live, variables, junk }) => {
        const program = programOf(textOf(statements));
        const fn = program.functionByName.get('f')!;
        const system = programSystem(program, fn);
        const { memoryModel, vocabulary } = system;
        const first = memoryModel.lastStatic;
        const isLive = (node: number): boolean => live[node]! > 1;
        const linkOf = (link: number, node: number): number => {
          const target = links[node]![link]!;
          return target > node || !isLive(node) ? target : 0;
        };
        const number = (node: number): bigint => BigInt(node === 0 ? 0 : first + node);
        const all = Array.from({ length: nodes }, (_, i) => i + 1);
        const reaches = (link: number, from: number, to: number): boolean => {
          let at = from;
          while (at !== to && at !== 0) at = isLive(at) ? linkOf(link, at) : 0;
          return at === to;
        };
        const head = program.objects.find(({ name }) => name === 'head')!.number;
        let isLinkedFirst = false;
        const memory = (index: number): Value => {
          const { role, sort } = memoryModel.variables[index]!;
          const array = (other: Value, entries: (readonly [bigint, Value])[]): Value =>
            arrayValue(other, entries, sort.kind === 'array' ? sort.element : sort);
          // Nodes that nothing connects with the others may be in a region of their own, without nodes here.
          const position = memoryModel.links.findIndex(
            ({ node, slot }) =>
              'slot' in role && role.node === node && role.slot === slot && node === memoryModel.links[0]!.node,
          );
          switch (role.kind) {
            case 'allocation-counter':
              return BigInt(first + nodes + 1);
            case 'allocation-site':
              return array(
                0n,
                all.map((node) => [number(node), memoryModel.allocationSiteOf(memoryModel.links[0]!.node)]),
              );
            case 'live':
            case 'heap':
              return array(
                false,
                all.map((node) => [number(node), role.kind === 'heap' || isLive(node)]),
              );
            case 'acyclic':
              return true;
            case 'linked':
              isLinkedFirst = true;
              return array(false, [[BigInt(head), true], ...all.map((node) => [number(node), true] as const)]);
            case 'reach': {
              const pairs = position === -1 ? [] : all.flatMap((from) => all.map((to) => [from, to] as const));
              const toSelf = Array.from(
                { length: first + nodes + 20 },
                (_, i) => [(BigInt(i) << BigInt(memoryModel.half)) | BigInt(i), true] as const,
              );
              return array(false, [
                ...toSelf,
                ...pairs.map(
                  ([from, to]) =>
                    [(number(from) << BigInt(memoryModel.half)) | number(to), reaches(position, from, to)] as const,
                ),
              ]);
            }
            case 'count':
              return array(
                1n,
                position === -1
                  ? []
                  : all.map((from) => [number(from), BigInt(all.filter((to) => reaches(position, from, to)).length)]),
              );
            case 'slot':
              if (role.part !== 'object' || position === -1) return sort.kind === 'array' ? array(0n, []) : 0n;
              return array(number(junk), [
                [BigInt(head), 0n],
                ...all.map((node) => [number(node), number(linkOf(position, node))] as const),
              ]);
            default:
              return sort.kind === 'array' ? array(sort.element === L.boolSort ? false : 0n, []) : 0n;
          }
        };
        const start = vocabulary.state(fn, fn.entry, new FreshSymbols('law'));
        const values = new Map<Term, Value>();
        memoryModel.variables.forEach((_, i) => values.set(start.memory.contents[i]!, memory(i)));
        program.globals.forEach((_, i) => {
          const global = start.globals[i]!;
          if ('object' in global) values.set(global.object, number(variables[i % variables.length]!));
        });
        const segment = system.builder.buildFrom(fn, fn.entry, start, new FreshSymbols('law'), L.TRUE);
        const at = (symbol: SymbolTerm): Value =>
          values.get(symbol) ??
          (symbol.sort.kind === 'bits' ? 0n : symbol.sort.kind === 'boolean' ? false : arrayValue(0n, [], symbol.sort));
        const end = segment.ends.find(({ to }) => to === fn.exit);
        if (!end || evaluate(end.guard, at) !== true) return;
        const names = [...all, ...Array.from({ length: 3 }, (_, i) => nodes + 1 + i)].map((node) =>
          L.symbol(`o${node}`, memoryModel.halfSort),
        );
        names.forEach((name, i) => values.set(name, BigInt(first + 1 + i)));
        const sentinel = L.symbol('sentinel', memoryModel.halfSort);
        values.set(sentinel, BigInt(head));
        const objects = new Set<Term>([...names, sentinel]);
        for (const link of memoryModel.links) {
          const chain = chainIn(link, end.state.memory.contents, memoryModel);
          if (evaluate(chain.acyclic, at) !== true) continue;
          kept++;
          linkedFirst += Number(isLinkedFirst);
          const known = new Map<Term, Value>();
          for (const law of instancesOf(chain, objects, objects, undefined, true))
            if (evaluateInto(known, law, at) !== true)
              throw new Error(`${textOf(statements)}\nbreaks a law of ${link.reach.name}`);
          const exists = new Set([...objects].filter((o) => evaluate(L.and(L.ult(o, chain.next)), at) === true));
          for (const from of exists) {
            const walked = new Set([evaluate(from, at)]);
            for (
              let o = evaluate(from, at) as bigint;
              evaluate(hasLink(chain, L.bits(o, memoryModel.half)), at) === true;
            ) {
              o = evaluate(L.select(chain.objects, L.bits(o, memoryModel.half)), at) as bigint;
              walked.add(o);
            }
            if (walked.size > 1) withLinks++;
            expect(evaluate(L.select(chain.count, from), at)).toBe(BigInt(walked.size));
            for (const to of exists)
              if (evaluate(L.related(chain.reach, from, to), at) !== walked.has(evaluate(to, at)))
                throw new Error(`${textOf(statements)}\n${link.reach.name} differs`);
          }
        }
      },
    ),
    { numRuns: heaps },
  );
  expect(kept).toBeGreaterThan(heaps / 2);
  expect(linkedFirst).toBeGreaterThan(0);
  expect(withLinks).toBeGreaterThan(heaps / 2);
}, 60_000);
