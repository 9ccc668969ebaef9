/** Structures that clients get from the module alone. */
import { handlesOf } from '../../../../src/evidence/scenarios/structures/handles';
import { programOf } from '../../../program/programOf';

function handles(text: string): readonly (string | undefined)[] {
  const program = programOf(text);
  const entries = program.functions.filter((fn) => !fn.library && fn.linkage === 'external');
  return [...handlesOf(program, entries, [])].map(({ tag }) => tag);
}

const event = 'struct event { int code; }; static struct event queue[4];';
const peek = 'const struct event *peek(unsigned n) { return n < 4 ? &queue[n] : 0; }';

test('what a function makes is a handle', () => {
  expect(handles(`${event} struct event *next(void) { return &queue[0]; }`)).toEqual(['event']);
  expect(
    handles(
      `${event} struct event *next(void) { return &queue[0]; } void put(struct event *e) { if (e) e->code = 1; }`,
    ),
  ).toEqual(['event']);
});

test('what may only be looked at is none for functions that write through a pointer', () => {
  expect(handles(`${event} ${peek} int pop(struct event *out) { if (out) *out = queue[0]; return 1; }`)).toEqual([]);
});

test('it is one for functions that look at it, too', () => {
  expect(handles(`${event} ${peek} int code(const struct event *e) { return e ? e->code : 0; }`)).toEqual(['event']);
});
