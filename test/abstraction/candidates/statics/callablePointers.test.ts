/** Functions that clients register in a static table. */
import { callablePointers } from '../../../../src/abstraction/candidates/statics/callablePointers';
import { printTerm } from '../../../../src/abstraction/printing/printTerm';
import { plainOptions, TransitionSystem } from '../../../../src/abstraction/transitionSystem/transitionSystem';
import { loadProgram } from '../../../../src/program';
import { file } from '../../../engines/task';

/** As text, by the kind and function of the control point. */
function candidates(text: string): Record<string, readonly string[]> {
  const program = loadProgram([file(text)], {});
  const entries = program.functions.filter(({ linkage }) => linkage === 'external');
  const options = {
    ...plainOptions,
    mode: 'module',
    entries,
    checkedProperties: new Set(['memsafety'] as const),
  } as const;
  const system = new TransitionSystem(program, options);
  return Object.fromEntries(
    [...callablePointers(system)].map(([{ kind, fn }, terms]) => [
      `${kind} ${fn.name}`,
      terms.map((term) => printTerm(term, system.vocabulary)),
    ]),
  );
}

const isCallable = (pointer: string): string => `${pointer} == NULL || ${pointer} == <a function of the client's>`;
const table = `(${isCallable('calls[0]')}) && (${isCallable('calls[1]')})`;
const add = 'static void (*calls[2])(int); void add(int at, void (*call)(int)) { if (at == 0) calls[at] = call; }';

test('a table, and what is passed for it', () => {
  const found = candidates(`${add} void clear(void) { calls[0] = 0; }`);
  expect(found['entry add']).toEqual([isCallable('call'), table]);
  expect(found['exit add']).toEqual([table]);
  expect(found['entry clear']).toEqual([table]);
});

test('nothing without a table', () => {
  expect(candidates('static int calls[2]; int go(int (*f)(int)) { return f ? f(calls[0]) : 0; }')).toEqual({});
});
