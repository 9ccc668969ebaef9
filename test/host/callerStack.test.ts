/** Stacks begin at the caller when the error is ours, and stay as they are when it is not. */
import { calledByTest, framesOf, fromCaller, isOurs } from '../../src/host/callerStack';
import { parseType } from '../../src/host/typeText';
import { programOf } from '../program/programOf';

const program = programOf('int x;');
const ours = (): never => {
  parseType('foo', program);
  throw new Error('unreachable');
};
const theirs = (): never => {
  throw new Error('from a stub');
};

function stackOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    return (error as Error).stack!;
  }
  throw new Error('nothing was thrown');
}

test('our frames are left out, the message stays', () => {
  const call = (): unknown => fromCaller(call, ours);
  expect(framesOf(stackOf(ours))[0]!.path).toMatch(/typeText/);
  const [first] = framesOf(stackOf(call));
  expect(first!.path).toBe(__filename);
  expect(stackOf(call)).toMatch(/^TypeError: 'foo' is not a C type/);
  expect(stackOf(calledByTest(ours))).not.toMatch(/typeText|src.host.callerStack/);
});

test('an error that arose elsewhere keeps its frames', () => {
  const call = (): unknown => fromCaller(call, theirs);
  expect(stackOf(call)).toMatch(/theirs[^]*src.host.callerStack/);
});

test('all frames on request', () => {
  process.env['PROVEST_STACKS'] = 'full';
  try {
    expect(framesOf(stackOf(calledByTest(ours)))[0]!.path).toMatch(/typeText/);
  } finally {
    delete process.env['PROVEST_STACKS'];
  }
});

test('frames of every shape', () => {
  const stack =
    'Error: at (odd):1:2\n    at f (/a b/c.ts:3:4)\n    at /d.js:5:6\n    at async file:///e.mjs:7:8\n' +
    '    at Array.map (<anonymous>)\n    at new X (C:\\g\\h.ts:9:10)\n    at m [as n] (/i.js:1:2)';
  expect(framesOf(stack).map(({ path, line, column }) => `${path}|${line}|${column}`)).toEqual([
    '/a b/c.ts|3|4',
    '/d.js|5|6',
    '/e.mjs|7|8',
    'C:\\g\\h.ts|9|10',
    '/i.js|1|2',
  ]);
  expect(isOurs(__filename)).toBe(false);
});
