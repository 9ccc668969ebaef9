/**
 * Pointer members that are links. A structure that is set up for a client changes its region: where there are such
 * structures, clients' objects have no links.
 */
import { plainOptions, TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import type { Program } from '../../../src/program';
import { type Initialisers, recordBehind } from '../../../src/semantics/pointers/initialisers';
import { programOf } from '../cPrograms';

const node = `
  #include <stdlib.h>
  struct node { int value; struct node *next; };`;

function links(text: string, initialisers: (program: Program) => Initialisers = () => new Map()): readonly string[] {
  const program = programOf(node + text);
  const { memoryModel } = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: program.functions.filter(({ linkage, library }) => linkage === 'external' && !library),
    checkedProperties: new Set(['memsafety']),
    initialisers: initialisers(program),
  });
  expect(memoryModel.regions.collapsed).toBe(false);
  return memoryModel.links.map(
    ({ slot, offset, statics, withAutomatic, linked }) =>
      `${slot.offset} leads to ${offset}, ` +
      `${statics.length} static${withAutomatic ? ', automatic' : ''}${linked ? ", clients'" : ''}`,
  );
}

const push = 'void push(void) { struct node *t = malloc(sizeof *t); t->next = head; head = t; }';

test.each([
  ['nodes of the allocator', `static struct node *head; ${push}`, ['8 leads to 0, 0 static']],
  [
    'behind a static head that no pointer leads to',
    'static struct node head; void push(void) { struct node *t = malloc(sizeof *t); t->next = head.next; ' +
      'head.next = t; }',
    ['8 leads to 0, 0 static'],
  ],
  ['with a static node among them', `static struct node last, *head = &last; ${push}`, ['8 leads to 0, 1 static']],
  [
    'nodes that clients own',
    'int f(struct node *l) { int n = 0; while (l && n < 9) { l = l->next; n++; } return n; }',
    ["8 leads to 0, 0 static, clients'"],
  ],
  [
    'nodes that clients get',
    `static struct node *head; ${push} struct node *first(void) { return head; }`,
    ["8 leads to 0, 0 static, clients'"],
  ],
  ['static nodes alone', 'static struct node a, b, *head; void f(void) { head = &a; a.next = &b; b.next = 0; }', []],
])('%s', (_, text, expected) => {
  expect(links(text)).toEqual(expected);
});

test('none where a node is set up for a client, whose region changes then', () => {
  const text = `
    void set_up(struct node *n) { n->value = 0; n->next = NULL; }
    void grow(struct node *n) { struct node *t = malloc(sizeof *t); t->next = n->next; n->next = t; }`;
  const setUp = (program: Program): Initialisers => {
    const fn = program.functionByName.get('set_up')!;
    return new Map([[recordBehind(fn.parameters[0]!)!, new Set([fn])]]);
  };
  expect(links(text, setUp)).toEqual([]);
});
