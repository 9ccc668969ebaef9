/** Pointers in clients' structures: specifications of whole types, on which proofs rest, and what stays unproved. */
import { verify, type Task, type Verdict } from '../../../src';
import { loadProgram } from '../../../src/program';
import { keepsValidPointers, membersOf } from '../../../src/evidence/scenarios/structures/validPointers';
import { ModuleInstance } from '../../../src/host/module';
import { inLongForm } from '../../long';
import { file, task } from '../task';
import { errors, specifications } from './lists';

jest.setTimeout(300_000);

const mail =
  '#include <stdlib.h>\n#include <string.h>\nstruct mail { int n; struct mail *to; const char *subject; };\n';

const stated = (text: string, change: Partial<Task> = {}): Promise<Verdict> =>
  verify(
    task(file(mail + text), {
      validPointers: [{ type: 'struct mail', members: ['to', 'subject'] }],
      properties: ['memsafety'],
      budget: { milliseconds: 20_000 },
      ...change,
    }),
  );
const offered = (text: string): Promise<Verdict> =>
  verify(
    task(file(mail + text), {
      angelic: true,
      furtherChecks: 'to the end',
      properties: ['memsafety'],
      budget: { milliseconds: 40_000 },
    }),
  );

const second = 'int second(struct mail *m) { if (!m || !m->to) return 0; return m->to->n; }';

test('what a member leads to can be read', async () => {
  const verdict = await stated(second);
  expect(verdict.kind).toBe('proved');
  expect(verdict).toMatchObject({
    assumptions: expect.arrayContaining([expect.stringMatching(/^to, subject of every struct mail/)]) as unknown,
  });
});

test.each([
  ['null', 'int second(struct mail *m) { return m ? m->to->n : 0; }'],
  [
    'an object that the module has ended',
    'int f(struct mail *m) { if (!m || !m->to) return 0; free(m->to); return m->to->n; }',
  ],
  ['behind the object', 'int f(struct mail *m) { if (!m || !m->to) return 0; return m->to[1].n; }'],
  [
    'an automatic object that is gone',
    'static void put(struct mail *m) { struct mail own = { 1, 0, 0 }; m->to = &own; }\n' +
      'int f(struct mail *m) { if (!m) return 0; put(m); return m->to->n; }',
  ],
])('not proved: %s', async (_, text) => {
  const verdict = await stated(text, { budget: { milliseconds: 5_000 } });
  expect(verdict.kind).not.toBe('proved');
});

inLongForm('a walk along them', async () => {
  const walk = (end: string): string =>
    `int depth(struct mail *m) { int n = 0; if (!m) return 0; while (${end} && n < 9) { m = m->to; n++; } return n; }`;
  expect((await stated(walk('m->to'))).kind).toBe('proved');
  expect((await stated(walk('n < 8'), { budget: { milliseconds: 5_000 } })).kind).toBe('bug');
});

inLongForm('a specification is offered on which the proof rests, and no verdict is green by it', async () => {
  const verdict = await offered(second);
  expect(verdict.kind).toBe('conditional');
  expect(errors(verdict)).toEqual([]);
  expect(specifications(verdict)).toEqual(['struct mail: to is null or valid']);
  expect(verdict).toMatchObject({
    angelic: {
      specifications: [
        {
          excuses: 0,
          code: "validPointers: { 'struct mail': 'to' }",
          flags: '--valid-pointers "struct mail: to"',
        },
      ],
    },
  });
});

inLongForm('none is offered for what the module only compares, or ends', async () => {
  expect(specifications(await offered('int has(struct mail *m) { return m && m->to; }'))).toEqual([]);
  const ends = 'void drop(struct mail *m) { if (m && m->to) { free(m->to); m->to = 0; } }';
  expect(specifications(await offered(second + ends))).not.toContain('struct mail: to is null or valid');
});

inLongForm('a test that passes another pointer there speaks against it', async () => {
  const path = file(`${mail}${second}int has(struct mail *m) { return m && m->to; }`);
  const instance = new ModuleInstance(loadProgram([path], {}), { name: 'module', entry: ['has', 'second'], seed: 1 });
  const two = instance.alloc('struct mail[2]');
  instance.fn('has')(instance.alloc('struct mail', { n: 1, to: two.at(1), subject: null }));
  const verdict = await verify(
    task(path, {
      angelic: true,
      furtherChecks: 'to the end',
      budget: { milliseconds: 20_000 },
      runs: instance.runs,
    }),
  );
  expect(specifications(verdict)).toEqual([]);
});

inLongForm('a text behind a member', async () => {
  const verdict = await offered(
    'size_t len(const struct mail *m) { if (!m || !m->subject) return 0; return strlen(m->subject); }',
  );
  expect(errors(verdict)).toEqual([]);
  expect(specifications(verdict)).toContain('len: (m->subject == NULL || PROVEST_TERMINATED(m->subject))');
});

describe('calls', () => {
  const program = loadProgram([file(mail + second)], {});
  const members = membersOf(program, [{ type: 'struct mail', members: ['to'] }]);
  const instance = new ModuleInstance(program, { name: 'module', entry: ['second'], seed: 1 });
  const isKept = (contents: (make: (bytes: number) => number) => number): boolean => {
    const { memory } = instance.machine;
    instance.reset();
    const make = (sizeBytes: number): number => Number(memory.make({ kind: 'host', sizeBytes, contents: 'zero' }));
    return keepsValidPointers(members, program.functionByName.get('second')!, [contents(make)], memory, program);
  };
  const { memory } = instance.machine;
  const linked = (make: (bytes: number) => number, to: number): number => {
    const m = make(24);
    memory.store(m + 8, { kind: 'pointer' }, to);
    return m;
  };

  test.each([
    ['null', true, (make: (bytes: number) => number) => linked(make, 0)],
    ['a live object', true, (make: (bytes: number) => number) => linked(make, make(24))],
    [
      'itself',
      true,
      (make: (bytes: number) => number) => ((m) => (memory.store(m + 8, { kind: 'pointer' }, m), m))(make(24)),
    ],
    ['too small an object', false, (make: (bytes: number) => number) => linked(make, make(23))],
    ['the middle of one', false, (make: (bytes: number) => number) => linked(make, make(48) + 24)],
    ['one whose own member is wrong', false, (make: (bytes: number) => number) => linked(make, linked(make, make(23)))],
    [
      'one that has ended',
      false,
      (make: (bytes: number) => number) => ((m, to) => (memory.kill(to), linked(() => m, to)))(make(24), make(24)),
    ],
  ])('%s: %s', (_, expected, contents) => {
    expect(isKept(contents)).toBe(expected);
  });
});

test.each([
  ["validPointers: 'int' is no structure", [{ type: 'int', members: ['to'] }]],
  ["validPointers: struct mail has no member 'from'", [{ type: 'struct mail', members: ['from'] }]],
  ["validPointers: 'n' of struct mail is no pointer to an object", [{ type: 'struct mail', members: ['n'] }]],
  ['validPointers: name a member of struct mail', [{ type: 'struct mail', members: [] }]],
])('%s', (message, told) => {
  expect(() => membersOf(loadProgram([file(mail + second)], {}), told)).toThrow(message);
});
