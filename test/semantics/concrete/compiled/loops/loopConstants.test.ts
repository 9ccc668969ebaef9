/** Expressions that keep their value among the commands of a function. */
import * as E from '../../../../../src/program/build';
import { int64, int8, type Expression } from '../../../../../src/program/expression';
import { loadProgram } from '../../../../../src/program';
import { LoopConstants } from '../../../../../src/semantics/concrete/compiled/loops/loopConstants';
import { file } from '../../../../engines/task';

/** Names of the questions about the parameters `p` and `n`, and the static `level`, that keep their value. */
function kept(body: string, packsOffsets = true): string[] {
  const program = loadProgram(
    [
      file(`#include <stdlib.h>
        #include <string.h>
        static int level;
        void other(void);
        void f(char *p, int n, char *q) { ${body} }`),
    ],
    { externals: 'any' },
  );
  const fn = program.functionByName.get('f')!;
  const [p, n] = fn.parameters.map(E.read) as [Expression, Expression];
  const level = E.read(program.globals.find(({ variable }) => variable.name === 'level')!.variable);
  const constants = new LoopConstants(
    fn.edges.map(({ command }) => command),
    packsOffsets,
  );
  const questions: Record<string, Expression> = {
    number: n,
    static: level,
    object: E.objectOf(p),
    place: E.offsetOf(p),
    life: E.isLive(E.offset(p, E.convert(n, int64))),
    size: E.objectSize(p),
    contents: E.load(int8, p),
  };
  return Object.keys(questions).filter((name) => constants.keeps(questions[name]!));
}
const all = ['number', 'static', 'object', 'place', 'life', 'size', 'contents'];
const without = (...names: string[]): string[] => all.filter((name) => !names.includes(name));

test.each([
  ['if (n > 3) return;', all],
  ['static int other; other = n;', all],
  ['level++;', without('static')],
  ['*q = 1;', without('contents')],
  ['memset(q, 0, 3);', without('contents')],
  ['free(q);', without('life', 'size', 'contents')],
  ['q = malloc(3);', without('life', 'size', 'contents')],
  ['other();', without('static', 'life', 'size', 'contents')],
  ['int own[2]; q = (char *)own; *q = 1;', without('life', 'size', 'contents')],
  ['p = q;', without('object', 'place', 'life', 'size', 'contents')],
  // A pointer that only moves leads to the same object.
  ['p++;', without('place', 'contents')],
  ['p += n; p--;', without('place', 'contents')],
  ['p++; if (n) p = q;', without('object', 'place', 'life', 'size', 'contents')],
])('%s', (body, expected) => {
  expect(kept(body)).toEqual(expected);
});

test('where adding an offset may change the object, a pointer that moves is like any other', () => {
  expect(kept('p++;', false)).toEqual(without('object', 'place', 'life', 'size', 'contents'));
});
