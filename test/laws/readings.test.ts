/**
 * Law: the symbolic reading agrees with the concrete one. Random straight-line functions over all integer types are run
 * on the machine and evaluated as terms under the same arguments; results and failing checks must be the same.
 */
import fc from 'fast-check';
import { bitsOf } from '../../src/abstraction/transitionSystem/concreteView';
import { TRUE } from '../../src/logic/build';
import { evaluate } from '../../src/logic/evaluate';
import type { SymbolTerm, Value } from '../../src/logic/term';
import { allProperties } from '../../src/program/command';
import { loadProgram } from '../../src/program';
import { Machine } from '../../src/semantics/concrete/machine';
import { wrapInteger, type ConcreteValue } from '../../src/semantics/concrete/concreteValues';
import { FreshSymbols, isPointer, number } from '../../src/semantics/symbolic/symbolicValues';
import { file } from '../engines/task';
import { functionOver, functionText, parameters, word } from './randomFunction';
import { programSystem } from '../abstraction/programSystem';

function check(texts: fc.Arbitrary<string>, runs: number): void {
  fc.assert(
    fc.property(
      texts,
      fc.array(word, { minLength: parameters.length, maxLength: parameters.length }),
      (text, words) => {
        const program = loadProgram([file(text)]);
        const fn = program.functionByName.get('f')!;
        const args = fn.parameters.map((parameter, i): ConcreteValue => {
          if (parameter.type.kind !== 'integer') throw new Error('integers only');
          const bool = parameter.ctype?.kind === 'integer' && parameter.ctype.name === 'bool';
          return wrapInteger(bool ? words[i]! & 1n : words[i]!, parameter.type);
        });
        const outcome = new Machine(program).call(fn, args);

        const system = programSystem(program, fn, allProperties);
        const start = system.transitions.find(({ kind }) => kind === 'start')!.ends[0]!.state;
        const segment = system.builder.buildFrom(fn, fn.entry, start, new FreshSymbols('law'), TRUE);
        const values = new Map<SymbolTerm, Value>();
        fn.parameters.forEach((parameter, i) => {
          const symbol = start.locals[parameter.slot]!;
          if (!isPointer(symbol) && symbol.kind === 'symbol')
            values.set(symbol, bitsOf(args[i]!, parameter.type, system.vocabulary));
        });
        const environment = (symbol: SymbolTerm): Value =>
          values.get(symbol) ??
          (symbol.sort.kind === 'array'
            ? { default: 0n, entries: new Map() }
            : symbol.sort.kind === 'boolean'
              ? false
              : 0n);
        const failing = segment.obligations.find(
          ({ guard, condition }) => evaluate(guard, environment) === true && evaluate(condition, environment) === false,
        );
        const exit = segment.ends.find(({ to }) => to === fn.exit);

        if (outcome.kind === 'fault') {
          expect(failing?.check.span.start).toBe(outcome.fault.span.start);
          expect(failing?.check.check).toBe(outcome.fault.check);
        } else {
          expect(outcome.kind).toBe('returned');
          expect(failing).toBeUndefined();
          expect(evaluate(exit!.guard, environment)).toBe(true);
          const result = number(exit!.state.locals[fn.resultVariable!.slot]!);
          expect(evaluate(result, environment)).toBe(
            bitsOf((outcome as { value: ConcreteValue }).value, fn.resultVariable!.type, system.vocabulary),
          );
        }
      },
    ),
    { numRuns: runs },
  );
}
const runs = Number(process.env.PROVEST_RUNS ?? 150);

test('machine and terms agree on values and on the first failing check', () => check(functionText, runs));

test('also on integers of 128 bits', () => check(functionOver(['__int128', 'unsigned __int128']), Math.ceil(runs / 2)));
