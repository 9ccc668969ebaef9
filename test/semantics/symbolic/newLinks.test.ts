/** Functions that leave no new object with a link that was never written. */
import { plainOptions, TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { loadProgram } from '../../../src/program';
import { areNewLinksWritten } from '../../../src/semantics/symbolic/newLinks';
import { file } from '../../engines/task';

/** Of the function `f`; helpers are not taken into their callers. */
function areWritten(text: string): boolean {
  const program = loadProgram([file(`#include <stdlib.h>\nstruct n { int v; struct n *next; };\n${text}`)], {
    externals: 'any',
    inlines: { allBut: new Set(), of: 'module' },
  });
  const fn = program.functionByName.get('f')!;
  const { memoryModel } = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: [fn],
    checkedProperties: new Set(),
  });
  const [link] = memoryModel.links;
  return areNewLinksWritten(fn, link!, memoryModel.regions);
}

/** A list of the same region, so that there is a link. */
const list = 'static struct n *list; void put(struct n *p) { p->next = list; list = p; } ';
/** Stands for `@`. */
const made = 'struct n *p = malloc(sizeof *p);';

test.each([
  ['struct n *f(struct n *l) { @ p->next = l; return p; }'],
  ['struct n *f(struct n *l) { @ if (!p) return l; p->v = 1; p->next = l; return p; }'],
  ['struct n *f(struct n *l) { @ if (!p) exit(1); p->next = l; return p; }'],
  ['struct n *f(struct n *l) { struct n *p = malloc(sizeof *p), *q = p; p = NULL; q->next = l; return q; }'],
  ['struct n *f(struct n *l) { @ if (l) { p->next = l; return p; } free(p); return l; }'],
  ['struct n *f(struct n *l) { struct n *p = calloc(1, sizeof *p); put(p); return p; }'],
  ['struct n *f(struct n *l) { if (l) { l->next = f(l->next); return l; } @ p->next = l; return p; }'],
  ['static struct n *g(struct n *l) { @ p->next = l; return p; } struct n *f(void) { return g(g(NULL)); }'],
])('all are written: %s', (text) => {
  expect(areWritten(list + text.replaceAll('@', made))).toBe(true);
});

test.each([
  ['struct n *f(struct n *l) { @ p->v = 1; put(p); return p; }'],
  ['struct n *f(struct n *l) { @ if (l) p->next = l; return p; }'],
  ['struct n *f(struct n *l) { @ l->next = p; return l; }'],
  ['struct n *f(struct n *l) { @ p->next->next = l; return p; }'],
  ['struct n *f(struct n *l) { @ struct n *q = p; p = malloc(sizeof *p); p->next = l; return q; }'],
  ['struct n *f(struct n *l) { @ if (l) p = l; p->next = l; return p; }'],
  ['struct n *f(int k) { struct n *p = NULL; while (k--) p = malloc(sizeof *p); if (p) p->next = NULL; return p; }'],
  [
    'static struct n *g(void) { return malloc(sizeof(struct n)); } ' +
      'struct n *f(void) { struct n *p = g(); p->next = list; return p; }',
  ],
  ['static struct n *s; struct n *f(struct n *l) { s = malloc(sizeof *s); put(l); s->next = l; return s; }'],
])('one may not be written: %s', (text) => {
  expect(areWritten(list + text.replaceAll('@', made))).toBe(false);
});
