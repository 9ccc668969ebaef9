/** Pictures of the heap that go with the lines of a run: boxes, pointers, and what is freed or lost. */
import { traceOf } from '../../../src/evidence/scenarios/trace';
import type { HeapPicture } from '../../../src/explanation';
import { Machine } from '../../../src/semantics/concrete/machine';
import { programOf } from '../../program/programOf';

const node = '#include <stdlib.h>\nstruct node { int val; struct node *next; };\n';

function picturesOf(text: string): readonly (HeapPicture | undefined)[] {
  const program = programOf(node + text, {});
  const main = program.functionByName.get('main')!;
  const trace = traceOf(program, [], (watch) => {
    const machine = new Machine(program);
    watch(machine);
    machine.call(main, []);
    return { span: main.locations[0]!.span, function: main };
  })!;
  return trace.steps.map(({ heap }) => (heap === undefined ? undefined : trace.heaps[heap]));
}

/** One line: names, then boxes by their number. */
function told(picture: HeapPicture | undefined): string {
  if (!picture) return 'none';
  const { names, boxes, omitted } = picture;
  return [
    ...names.map((one) =>
      'to' in one ? `${one.name}->${one.to}${one.member ? `.${one.member}` : ''}` : `${one.name}=0`,
    ),
    ...boxes.map(
      ({ type, state, members }, i) =>
        `${i}:${type}${state === 'live' ? '' : ` ${state}`}{${members
          .map((one) => ('to' in one ? `${one.name}->${one.to}` : `${one.name}=${one.value}`))
          .join(' ')}}`,
    ),
    ...(omitted > 0 ? [`+${omitted}`] : []),
  ].join(' ');
}
const lastOf = (text: string): string => told(picturesOf(text).at(-1));

test.each([
  [
    'a list of two nodes, from its head',
    `static struct node b = {2}, a = {1, &b}, *head = &a;
     int main(void) {
       return head->val; }`,
    'b->0 a->1 head->1 0:struct node{val=2 next=NULL} 1:struct node{val=1 next->0}',
  ],
  [
    'allocated nodes: what was not written is not known',
    `static struct node *head;
     int main(void) {
       head = malloc(sizeof *head); head->next = 0;
       return 0; }`,
    'head->0 0:struct node{val=? next=NULL}',
  ],
  [
    'a freed node that a pointer still leads to',
    `static struct node *head;
     int main(void) {
       head = malloc(sizeof *head);
       free(head);
       return 0; }`,
    'head->0 0:struct node freed{}',
  ],
  [
    'a lost node, which keeps its type and its pointers',
    `static struct node *head;
     static void add(void) { struct node *t = malloc(sizeof *t); t->val = 7; t->next = head; head = t; }
     static void lose(void) {
       head = 0; }
     int main(void) {
       add(); add();
       lose();
       return 0; }`,
    'head=0 0:struct node lost{val=7 next->1} 1:struct node lost{val=7 next=NULL}',
  ],
  [
    'a node that a number keeps is not lost',
    `static struct node *head; static unsigned long kept;
     static void hide(void) { kept = (unsigned long)head; head = 0; }
     int main(void) {
       head = malloc(sizeof *head); head->next = 0;
       hide();
       return 0; }`,
    'none',
  ],
  [
    'a pointer to a link leads into its node',
    `int main(void) {
       struct node *head = malloc(sizeof *head); head->val = 1; head->next = 0; struct node **link = &head->next;
       return *link != 0; }`,
    'head->0 link->0.next 0:struct node{val=1 next=NULL}',
  ],
  [
    'a pointer to a member is an arrow to the structure around it',
    `struct hook { struct hook *next; }; struct item { int v; struct hook hook; };
     static struct hook head;
     int main(void) {
       struct item *t = malloc(sizeof *t); t->v = 3; t->hook.next = 0; head.next = &t->hook;
       return 0; }`,
    'head->0 t->1 0:struct hook{next->1} 1:struct item{v=3 hook.next=NULL}',
  ],
  [
    'variables whose block has ended are not drawn',
    `static struct node one = {4, 0}, *head = &one;
     int main(void) {
       for (int i = 0; i < 2; i++) { struct node *t = head; t->val++; }
       { struct node *t = head->next; if (t) return 1; }
       return 0; }`,
    'one->0 head->0 0:struct node{val=6 next=NULL}',
  ],
  [
    'nothing where no structure has a pointer',
    'struct p { int x; } p; int main(void) { struct p *q = &p; return q->x; }',
    'none',
  ],
])('%s', (_, text, expected) => {
  expect(lastOf(text)).toBe(expected);
});

test('a callee is drawn with the variables of its callers', () => {
  const pictures = picturesOf(`static int first(struct node *l) {
      return l->val; }
    int main(void) {
      struct node one = {4, 0};
      return first(&one); }`);
  expect(pictures.map(told)).toContain('l->0 main: one->0 0:struct node{val=4 next=NULL}');
});

test('of a long list the first nodes are drawn, the others counted', () => {
  const drawn = picturesOf(`static struct node *head;
    int main(void) {
      for (int i = 0; i < 30; i++) { struct node *t = malloc(sizeof *t); t->val = i; t->next = head; head = t; }
      return 0; }`).at(-1)!;
  expect([drawn.boxes.length, drawn.omitted]).toEqual([24, 6]);
  expect(drawn.boxes.map(({ members }) => members[0])).toEqual(
    Array.from({ length: 24 }, (_, i) => ({ name: 'val', value: String(29 - i) })),
  );
});
