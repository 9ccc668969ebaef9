/** One object for two parameters: near a known client, and in a search without one. */
import { fuzzProgram, type SearchOptions } from '../../../../src/engines/search/fuzzing';
import { neighboursOf } from '../../../../src/engines/search/arguments/neighbours';
import { passedTwice } from '../../../../src/engines/search/arguments/passedTwice';
import type { Argument, Call } from '../../../../src/evidence/scenarios/scenario';
import type { Property } from '../../../../src/program/command';
import { programOf } from '../../../program/programOf';

const program = programOf(`
#include <string.h>
struct pair { int a, b; };
void append(char *to, const char *more) { if (to && more && *to) memcpy(to + strlen(to), more, strlen(more) + 1); }
void mixed(int *numbers, struct pair *p, char *text, struct pair q) { (void)numbers; (void)p; (void)text; (void)q; }
`);
const call = (name: string, ...given: readonly Argument[]): Call => ({
  fn: program.functionByName.get(name)!,
  arguments: given,
});
const text: Argument = {
  kind: 'object',
  type: { kind: 'array', of: { kind: 'integer', name: 'char', widthBits: 8, signed: true }, length: 8 },
  contents: [97, 0, 0, 0, 0, 0, 0, 0],
};
const of = (at: number, argument: number): Argument => ({ kind: 'earlier', call: at, argument });
const nothing: Argument = { kind: 'scalar', value: 0 };

test('either object, const or not', () => {
  const other: Argument = { ...text, contents: '' };
  expect(passedTwice(call('append', text, other), 3).map((one) => one.arguments)).toEqual([
    [text, of(3, 0)],
    [other, of(3, 0)],
  ]);
});

test('an object of an earlier call', () => {
  expect(passedTwice(call('append', of(0, 1), text), 2).map((one) => one.arguments)).toEqual([
    [of(0, 1), of(0, 1)],
    [text, of(2, 0)],
  ]);
  // Passed twice already: there is one way.
  expect(passedTwice(call('append', text, of(2, 0)), 2).map((one) => one.arguments)).toEqual([[text, of(2, 0)]]);
});

test('nothing for null, other types, or a structure that is passed itself', () => {
  expect(passedTwice(call('append', text, nothing), 0)).toEqual([]);
  const record = program.functionByName.get('mixed')!.parameters[1]!.ctype;
  const pair: Argument = {
    kind: 'object',
    type: record?.kind === 'pointer' ? record.to : record!,
    contents: { a: 0, b: 0 },
  };
  expect(passedTwice(call('mixed', text, pair, text, pair), 0)).toEqual([]);
});

test('they are among the neighbours of a client', () => {
  const scenario = { calls: [call('append', text, text)], answers: [] };
  expect([...neighboursOf(scenario, [])].map(({ calls }) => calls[0]!.arguments)).toContainEqual([text, of(0, 0)]);
});

const search = (maximumCalls: number): SearchOptions => ({
  checkedProperties: new Set<Property>(['memsafety']),
  permits: () => true,
  entries: [program.functionByName.get('append')!],
  maximumCalls,
  seed: 1,
  edges: 200_000,
  stop: () => false,
});

test('a copy that overlaps only where one text is passed twice is found', () => {
  const found: string[] = [];
  fuzzProgram(program, {
    ...search(1),
    failed: (_, { check }) => {
      found.push(check);
      return check !== 'overlapping-copy';
    },
  });
  expect(found).toContain('overlapping-copy');
});
