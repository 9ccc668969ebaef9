/**
 * Which members of clients' structures are null or lead to live objects, if clients keep them so: those into which the
 * program puts nothing else, and whose objects it does not end.
 */
import { plainOptions, TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { loadProgram } from '../../../src/program';
import { file } from '../../engines/task';

const mail = '#include <stdlib.h>\n#include <string.h>\nstruct mail { int n; struct mail *to; int *data; };\n';
const uses = 'int sum(struct mail *m) { return m && m->to && m->to->data ? *m->to->data : 0; }';

/** The members, by their offset. */
function kept(text: string, members: readonly string[] = ['to', 'data']): number[] {
  const program = loadProgram([file(`${mail}${text}\n${uses}`)], { externals: 'any' });
  const entries = program.functions.filter(({ linkage, library }) => linkage === 'external' && !library);
  const { memoryModel } = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries,
    checkedProperties: new Set(['memsafety'] as const),
    validMembers: new Map([['struct mail', new Set(members)]]),
  });
  return memoryModel.regions.roots().flatMap((node) => {
    const layout = memoryModel.regions.layout(node);
    return layout.kind === 'slots'
      ? layout.slots.filter((slot) => memoryModel.validMembers.at(node, slot)).map(({ offset }) => offset)
      : [];
  });
}

test.each([
  ['what a client put there', '', [8, 16]],
  ['null', 'void cut(struct mail *m) { if (m) m->to = 0; }', [8, 16]],
  ['an argument', 'void link(struct mail *m, struct mail *to) { if (m) m->to = to; }', [8, 16]],
  ['what another such member holds', 'void skip(struct mail *m) { if (m && m->to) m->to = m->to->to; }', [8, 16]],
  ['a variable of the module', 'static int zero; void set(struct mail *m) { if (m) m->data = &zero; }', [8, 16]],
  ['zeros', 'void reset(struct mail *m) { if (m) memset(m, 0, sizeof *m); }', [8, 16]],
  ['a copy of another', 'void copy(struct mail *m, struct mail *by) { if (m && by) *m = *by; }', [8, 16]],
  ['texts of clients that are written beside it', 'void put(char *t) { if (t) *t = 0; }', [8, 16]],
])('kept by the program: %s', (_, text, expected) => {
  expect(kept(text)).toEqual(expected);
});

test.each([
  ['the address of an automatic object', 'void set(struct mail *m) { int v = 1; if (m) m->data = &v; }', [8]],
  ['a pointer into an object', 'void set(struct mail *m, int *data) { if (m && data) m->data = data + 1; }', [8]],
  ['what nobody has set', 'void set(struct mail *m, int c) { int *p; if (c) p = 0; if (m) m->data = p; }', [8]],
  ['a block that may be too small', 'void set(struct mail *m) { if (m) m->data = malloc(1); }', [8]],
  ['objects that it ends', 'void drop(struct mail *m) { if (m) { free(m->data); m->data = 0; } }', [8]],
  ['objects that it ends by another way', 'void drop(int *data) { free(data); }', [8]],
  [
    'an argument behind a stranger',
    'void seen(void); void l(struct mail *m, int *d) { seen(); if (m) m->data = d; }',
    [8],
  ],
  ['bytes of it', 'void raw(struct mail *m) { if (m) ((char *)m)[9] = 1; }', []],
  ['bytes copied over it', 'void raw(struct mail *m, const char *t, int n) { if (m && t) memcpy(m, t, n); }', []],
])('not kept: %s', (_, text, expected) => {
  expect(kept(text)).toEqual(expected);
});

test('members that the specification does not name may hold anything', () => {
  expect(kept('', ['to'])).toEqual([8]);
});
