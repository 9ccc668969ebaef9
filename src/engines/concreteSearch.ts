/**
 * Looking for a bug by running: random clients biased to the values the program itself compares with. Cheap, first, and last: every failing check it
 * finds is a real one. Deterministic for a seed; effort is counted in edges.
 */
import { sizeOf } from '../c/layout';
import type { CType } from '../c/types';
import type { Scenario, ScenarioOptions, Argument, Call } from '../evidence/scenario';
import { faultOf, runScenario } from '../evidence/scenario';
import type { Scalar } from '../program/expression';
import type { FunctionDefinition, Program } from '../program/program';
import type { ConcreteValue } from '../semantics/concrete';
import { expressionsOf, walk } from '../semantics/regions';
import { Random } from '../semantics/random';
import type { Plain } from '../verdict';

export interface SearchOptions extends Omit<ScenarioOptions, 'environment' | 'stepLimit'> {
  readonly entries: readonly FunctionDefinition[];
  /** Calls of entries in one scenario; 1 in program mode. */
  readonly maximumCalls: number;
  readonly seed: number;
  /** Effort: edges of the automaton, over all scenarios. */
  readonly edges: number;
  readonly stop: () => boolean;
  /** Clients that go on from what the tests did. */
  readonly prefixes?: readonly Scenario[];
}

export function searchConcretely(program: Program, options: SearchOptions): Scenario | undefined {
  const random = new Random(options.seed + 1);
  const generator = new Generator(program, random);
  let left = options.edges;
  for (let round = 0; left > 0 && !options.stop(); round++) {
    const scenario = generator.scenario(options, round);
    const answers: Scenario['answers'][number][] = [];
    const run = runScenario(program, scenario, {
      ...options,
      // Most bugs are near; now and then a run may go far.
      stepLimit: Math.min(left, round % 8 === 7 ? Math.max(20_000, options.edges / 4) : 20_000),
      environment: (name, type) => {
        const value = generator.answer(type, name, round);
        answers.push({ name, type, value });
        return value;
      },
    });
    left -= (run?.steps ?? 0) + 50 * scenario.calls.length + 50;
    const fault = faultOf(run);
    if (fault) return { calls: scenario.calls.slice(0, run!.last + 1), answers: run!.answers.map(({ name, type, value }) => ({ name, type, value })) };
  }
  return undefined;
}

class Generator {
  private readonly constants: readonly bigint[];
  constructor(private readonly program: Program, private readonly random: Random) {
    const found = new Set<bigint>([0n, 1n, -1n, 2n, 3n]);
    for (const fn of program.functions) {
      if (fn.library) continue;
      for (const { command } of fn.edges) {
        for (const e of expressionsOf(command)) walk(e, (node) => { if (node.kind === 'integer') for (const near of [-1n, 0n, 1n]) found.add(node.value + near); });
      }
    }
    this.constants = [...found];
  }

  scenario(options: SearchOptions, round: number): Scenario {
    const { entries, init, maximumCalls, prefixes = [] } = options;
    const prefix = prefixes.length > 0 && round % 3 === 0 ? prefixes[this.below(prefixes.length)]! : undefined;
    const calls: Call[] = prefix ? [...prefix.calls] : [];
    if (init && calls.length === 0) calls.push({ fn: init, arguments: this.argumentsFor(init, calls) });
    const count = maximumCalls === 1 ? 1 : 1 + this.below(Math.min(maximumCalls, 2 + round));
    for (let i = 0; i < count; i++) {
      const fn = entries[this.below(entries.length)]!;
      calls.push({ fn, arguments: this.argumentsFor(fn, calls) });
    }
    return { calls, answers: prefix?.answers ?? [] };
  }

  answer(type: Scalar, _name: string, _round: number): ConcreteValue {
    switch (type.kind) {
      case 'integer': return this.integer(type);
      case 'float': return this.below(4) === 0 ? 0 : this.below(200) - 100;
      case 'pointer': return 0;
    }
  }

  private argumentsFor(fn: FunctionDefinition, before: readonly Call[]): Argument[] {
    return fn.parameters.map((parameter): Argument => {
      if (parameter.type.kind !== 'pointer') return { kind: 'scalar', value: this.scalar(parameter.type, parameter.ctype) };
      const to = parameter.ctype?.kind === 'pointer' ? parameter.ctype.to : undefined;
      if (!to || to.kind === 'function' || this.below(8) === 0) return { kind: 'scalar', value: 0 };
      const earlier = this.earlier(to, before);
      if (earlier && this.below(2) === 0) return earlier;
      return this.object(to);
    });
  }

  private earlier(to: CType, before: readonly Call[]): Argument | undefined {
    const candidates: Argument[] = [];
    before.forEach((call, index) => {
      call.arguments.forEach((argument, at) => {
        if (argument.kind === 'object' && sameTarget(call.fn.parameters[at]!.ctype, to)) candidates.push({ kind: 'earlier', call: index, argument: at });
      });
      if (call.fn.resultVariable?.type.kind === 'pointer' && sameTarget(call.fn.resultVariable.ctype, to)) candidates.push({ kind: 'earlier', call: index, argument: -1 });
    });
    return candidates.length > 0 ? candidates[this.below(candidates.length)] : undefined;
  }

  private object(to: CType): Argument {
    const element: CType = to.kind === 'void' ? { kind: 'integer', name: 'unsigned char', widthBits: 8, signed: false } : to;
    if (sizeOf(element, this.program.dataModel) === undefined) return { kind: 'scalar', value: 0 };
    if (element.kind === 'integer' || element.kind === 'enum') {
      const length = 1 + this.below(6);
      const type: CType = { kind: 'array', of: { ...element, const: false }, length };
      return { kind: 'object', type, contents: Array.from({ length }, (_, i) => (i === length - 1 && element.kind === 'integer' && element.widthBits === 8 ? 0 : this.plain(element))) };
    }
    return { kind: 'object', type: { ...element, const: false }, contents: this.plain(element) };
  }

  private plain(type: CType): Plain {
    switch (type.kind) {
      case 'integer': return type.name === 'bool' ? this.below(2) === 1 : this.integer({ widthBits: type.widthBits, signed: type.signed });
      case 'enum': return type.constants.length > 0 ? Number(type.constants[this.below(type.constants.length)]!.value) : 0;
      case 'float': return this.below(100) - 50;
      case 'array': return Array.from({ length: Math.min(type.length ?? 0, 64) }, () => this.plain(type.of));
      case 'record': {
        const fields = type.record.fields.filter((field) => field.name !== undefined && !field.bits);
        const chosen = type.record.keyword === 'union' ? fields.slice(0, 1) : fields;
        return Object.fromEntries(chosen.map((field) => [field.name!, this.plain(field.type)]));
      }
      default: return null;
    }
  }

  private scalar(type: Scalar, ctype: CType | undefined): ConcreteValue {
    if (ctype?.kind === 'integer' && ctype.name === 'bool') return this.below(2);
    if (ctype?.kind === 'enum' && ctype.constants.length > 0 && this.below(4) > 0) return Number(ctype.constants[this.below(ctype.constants.length)]!.value);
    return this.answer(type, '', 0);
  }

  private integer(type: { readonly widthBits: number; readonly signed: boolean }): ConcreteValue {
    const wrap = (value: bigint): ConcreteValue => {
      const wrapped = type.signed ? BigInt.asIntN(type.widthBits, value) : BigInt.asUintN(type.widthBits, value);
      return type.widthBits === 64 ? wrapped : Number(wrapped);
    };
    switch (this.below(8)) {
      case 0: case 1: case 2: return wrap(BigInt(this.below(5) - 1));
      case 3: case 4: case 5: return wrap(this.constants[this.below(this.constants.length)]!);
      case 6: return wrap((1n << BigInt(type.widthBits - (type.signed ? 1 : 0))) - BigInt(this.below(3)) + (this.below(2) === 0 ? 0n : 1n));
      default: return wrap((BigInt(this.below(0x10000)) << 48n) ^ (BigInt(this.below(0x10000)) << 24n) ^ BigInt(this.below(0x10000)));
    }
  }

  private below(bound: number): number {
    return this.random.below(bound);
  }
}

function sameTarget(pointer: CType | undefined, to: CType): boolean {
  if (pointer?.kind !== 'pointer') return false;
  const a = pointer.to;
  if (a.kind === 'record' && to.kind === 'record') return a.record === to.record;
  return a.kind === to.kind && (a.kind !== 'integer' || to.kind !== 'integer' || a.widthBits === to.widthBits);
}
