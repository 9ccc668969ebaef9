/**
 * Law: the symbolic reading agrees with the concrete one. Random straight-line functions over all integer types are run on the machine and
 * evaluated as terms under the same arguments; results and failing checks must be the same.
 */
import fc from 'fast-check';
import { System } from '../../src/abstraction/system';
import { bitsOf } from '../../src/abstraction/concreteView';
import { TRUE } from '../../src/logic/build';
import { evaluate } from '../../src/logic/evaluate';
import type { SymbolTerm, Value } from '../../src/logic/term';
import { allProperties } from '../../src/program/command';
import { loadProgram } from '../../src/program';
import { Machine } from '../../src/semantics/machine';
import { wrapInteger, type ConcreteValue } from '../../src/semantics/concrete';
import { FreshSymbols, isPointer, number } from '../../src/semantics/symbolic';
import { file } from '../engines/task';

const types = ['_Bool', 'signed char', 'unsigned char', 'short', 'unsigned short', 'int', 'unsigned', 'long', 'unsigned long', 'long long'] as const;
const parameters = types.map((type, i) => ({ type, name: `p${i}` }));

const leaf = fc.oneof(
  fc.constantFrom(...parameters.map(({ name }) => name), 'v0', 'v1', 'v2'),
  fc.constantFrom('0', '1', '(-1)', '2', '7', '255', '(-128)', '32767', '2147483647', '(-2147483647 - 1)', '4294967295u', '9223372036854775807l', '0x80000000u', "'a'"),
);
const expression = fc.letrec<{ e: string }>((tie) => ({
  e: fc.oneof({ maxDepth: 4 }, leaf,
    fc.tuple(fc.constantFrom('+', '-', '*', '/', '%', '&', '|', '^', '<', '<=', '==', '!=', '&&', '||'), tie('e'), tie('e')).map(([op, a, b]) => `(${a} ${op} ${b})`),
    fc.tuple(fc.constantFrom('<<', '>>'), tie('e'), fc.integer({ min: 0, max: 40 })).map(([op, a, n]) => `(${a} ${op} ${n})`),
    fc.tuple(fc.constantFrom('-', '~', '!', '+'), tie('e')).map(([op, a]) => `(${op}${a})`),
    fc.tuple(fc.constantFrom(...types), tie('e')).map(([type, a]) => `((${type})${a})`),
    fc.tuple(tie('e'), tie('e'), tie('e')).map(([c, a, b]) => `(${c} ? ${a} : ${b})`),
  ),
})).e;
const statement = fc.oneof(
  fc.tuple(fc.constantFrom('v0', 'v1', 'v2'), fc.constantFrom('=', '+=', '-=', '*=', '&=', '|=', '^='), expression).map(([v, op, e]) => `${v} ${op} ${e};`),
  fc.tuple(fc.constantFrom('v0', 'v1', 'v2'), fc.constantFrom('++', '--')).map(([v, op]) => `${v}${op};`),
  fc.tuple(expression, fc.constantFrom('v0', 'v1', 'v2'), expression, expression).map(([c, v, a, b]) => `if (${c}) ${v} = ${a}; else ${v} = ${b};`),
  fc.tuple(fc.integer({ min: 0, max: 3 }), expression).map(([i, e]) => `cells[${i}] = ${e};`),
  fc.tuple(fc.constantFrom('v0', 'v1', 'v2'), expression).map(([v, e]) => `${v} = cells[(${e}) & 3];`),
  fc.tuple(expression, expression).map(([i, e]) => `cells[(${i}) & 3] = ${e};`),
  fc.tuple(fc.constantFrom('s.a', 's.b', 's.c'), expression).map(([f, e]) => `${f} = ${e};`),
  fc.tuple(fc.constantFrom('v0', 'v1', 'v2'), fc.constantFrom('s.a', 's.b', 's.c', 'cells[1]')).map(([v, f]) => `${v} = ${f};`),
);
const functionText = fc.tuple(fc.constantFrom('int', 'unsigned', 'long', 'short', 'unsigned char'), fc.array(fc.constantFrom(...types), { minLength: 3, maxLength: 3 }), fc.array(statement, { minLength: 1, maxLength: 6 }), expression)
  .map(([result, [a, b, c], body, value]) => [
    `struct s { signed char a; int b; unsigned long c; };`,
    `static short cells[4];`, `static struct s s;`,
    `${result} f(${parameters.map(({ type, name }) => `${type} ${name}`).join(', ')}) {`,
    `  ${a} v0 = 1; ${b} v1 = 2; ${c} v2 = 3;`, ...body.map((line) => `  ${line}`), `  return ${value};`, '}', '',
  ].join('\n'));
const word = fc.oneof(fc.constantFrom(0n, 1n, -1n, 127n, 128n, -128n, 255n, 32767n, -32768n, 65535n, 2147483647n, -2147483648n, 4294967295n, 9223372036854775807n, -9223372036854775808n), fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }));

test('machine and terms agree on values and on the first failing check', () => {
  fc.assert(fc.property(functionText, fc.array(word, { minLength: parameters.length, maxLength: parameters.length }), (text, words) => {
    const program = loadProgram([file(text)]);
    const fn = program.functionByName.get('f')!;
    const args = fn.parameters.map((parameter, i): ConcreteValue => {
      if (parameter.type.kind !== 'integer') throw new Error('integers only');
      const bool = parameter.ctype?.kind === 'integer' && parameter.ctype.name === 'bool';
      return wrapInteger(bool ? words[i]! & 1n : words[i]!, parameter.type);
    });
    const outcome = new Machine(program).call(fn, args);

    const system = new System(program, { mode: 'program', entries: [fn], init: undefined, inForce: new Set(allProperties), cutpoints: 'default', inline: true, pointerFacts: true, requires: () => [] });
    const start = system.transitions.find(({ kind }) => kind === 'start')!.ends[0]!.state;
    const segment = system.builder.buildFrom(fn, fn.entry, start, new FreshSymbols('law'), TRUE);
    const values = new Map<SymbolTerm, Value>();
    fn.parameters.forEach((parameter, i) => {
      const symbol = start.locals[parameter.slot]!;
      if (!isPointer(symbol) && symbol.kind === 'symbol') values.set(symbol, bitsOf(args[i]!, parameter.type, system.vocabulary));
    });
    const environment = (symbol: SymbolTerm): Value => values.get(symbol) ?? (symbol.sort.kind === 'array' ? { default: 0n, entries: new Map() } : symbol.sort.kind === 'boolean' ? false : 0n);
    const failing = segment.obligations.find(({ guard, condition }) => evaluate(guard, environment) === true && evaluate(condition, environment) === false);
    const exit = segment.ends.find(({ to }) => to === fn.exit);

    if (outcome.kind === 'fault') {
      expect(failing?.check.span.start).toBe(outcome.fault.span.start);
      expect(failing?.check.check).toBe(outcome.fault.check);
    } else {
      expect(outcome.kind).toBe('returned');
      expect(failing).toBeUndefined();
      expect(evaluate(exit!.guard, environment)).toBe(true);
      const result = number(exit!.state.locals[fn.resultVariable!.slot]!);
      expect(evaluate(result, environment)).toBe(bitsOf((outcome as { value: ConcreteValue }).value, fn.resultVariable!.type, system.vocabulary));
    }
  }), { numRuns: Number(process.env.PROVEST_RUNS ?? 150) });
});
