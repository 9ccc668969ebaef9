/**
 * Infers the precondition that rules out failures caused by a structure that the client filled in by itself, although
 * the module has a function such as `ring_init` to set one up. The bug is still reported. The precondition is offered
 * only if the failure disappears when the structure is set up, and if no test contradicts it (as in angelic
 * verification: A. Das, S. Lahiri, A. Lal, Y. Li, CAV 2015).
 */
import type { CType, RecordLayout } from '../../c/types';
import { setUpName, validPrefix } from '../../evidence/scenarios/structures/setUpFunctions';
import {
  type Argument,
  type Call,
  faultOf,
  ScenarioRunner,
  type Scenario,
  type ScenarioOptions,
} from '../../evidence/scenarios/scenario';
import type { Operation } from '../../host/operation';
import type { Expression, Scalar, Variable } from '../../program/expression';
import type { FunctionDefinition, Program } from '../../program/program';
import { expressionsOf, variablesIn, walk } from '../../program/traverse';
import { failsAlike, type Fault } from '../../semantics/concrete/fault';
import { isWide, zero } from '../../semantics/concrete/concreteValues';
import { type Initialisers, recordBehind, resultByValue, setsUp } from '../../semantics/pointers/initialisers';
import { typeName } from '../../semantics/pointers/validMembers';

/** Who takes a structure to look at it sets none up. */
const mayWrite = ({ ctype }: Variable): boolean => ctype?.kind === 'pointer' && ctype.to.const !== true;
const limits = {
  /** Edges of a run with the structure set up. */
  steps: 20_000,
  /** Elements of memory that is handed over with the structure, and the number of them that is stated. */
  elements: 64,
  stated: 8,
} as const;
/** Arguments beside the structure: many functions refuse null and no room. */
const argumentsTried = ['zeros', 'memory'] as const;

/** As `reader` makes a `reader_t`: a function that returns a part of the data in a plain structure makes none. */
function isNamedAsMaker({ name }: FunctionDefinition, record: RecordLayout): boolean {
  const plain = (text: string): string =>
    text
      .replace(/_t$/, '')
      .replace(/^struct |_/g, '')
      .toLowerCase();
  return setUpName.test(name) || plain(name) === plain(typeName(record));
}

export class UnsetStructures {
  private readonly own = new Map<RecordLayout, ReadonlySet<FunctionDefinition>>();
  private readonly candidates = new Map<RecordLayout, readonly FunctionDefinition[]>();
  private readonly all: Map<RecordLayout, ReadonlySet<FunctionDefinition>>;
  private readonly runner: ScenarioRunner;

  constructor(
    private readonly program: Program,
    private readonly callable: readonly FunctionDefinition[],
    private readonly options: ScenarioOptions,
    private readonly runs: readonly (readonly Operation[])[],
  ) {
    this.all = new Map(options.initialisers);
    this.runner = new ScenarioRunner(program, options);
  }

  /**
   * True if a structure that was not set up causes the failure, and no test uses one like that; then clients are taken
   * not to from here on.
   */
  explain(scenario: Scenario, fault: Fault): boolean {
    for (const [index, { fn, arguments: given }] of scenario.calls.entries()) {
      for (const [at, argument] of given.entries()) {
        const record =
          argument.kind === 'object' && argument.type.kind === 'record' ? recordBehind(fn.parameters[at]!) : undefined;
        if (!record || this.options.initialisers?.has(record)) continue;
        const setUp = this.candidatesFor(record).find(
          (one) =>
            !setsUp(new Map([[record, new Set([one])]]), fn, at) &&
            argumentsTried.some((beside) => this.harmlessAfter(one, beside, record, scenario, index, at, fault)),
        );
        if (!setUp) continue;
        this.own.set(record, new Set([setUp]));
        this.all.set(record, new Set([setUp]));
        return true;
      }
    }
    return false;
  }

  /** Initialisers that clients keep to, with those stated before; grows. */
  get initialisers(): Initialisers {
    return this.all;
  }

  /** Initialisers found here, without those stated before. */
  get found(): readonly (readonly [RecordLayout, ReadonlySet<FunctionDefinition>])[] {
    return [...this.own];
  }

  /**
   * Functions that may set up the structure, and that the tests call before all others: those with the name of one,
   * then those that write all of its members and read none, then those that return one by value, need none, and have
   * the name of one or of the structure.
   */
  private candidatesFor(record: RecordLayout): readonly FunctionDefinition[] {
    let found = this.candidates.get(record);
    if (!found) {
      const able = this.callable.filter((fn) =>
        fn.parameters.some(
          (parameter, at) => setsUp(new Map([[record, new Set([fn])]]), fn, at) && mayWrite(parameter),
        ),
      );
      const named = able.filter(({ name }) => setUpName.test(name));
      const others = able.filter((fn) => !named.includes(fn) && writesAll(fn, record));
      const returning = this.callable.filter(
        (fn) => resultByValue(fn) === record && !takes(fn, record) && isNamedAsMaker(fn, record),
      );
      found = [...named, ...others, ...returning].filter((fn) =>
        this.runs.every(
          (run) => validPrefix(new Map([[record, new Set([fn])]]), this.program, run).length === run.length,
        ),
      );
      this.candidates.set(record, found);
    }
    return found;
  }

  /** With the structure set up first, the failure is gone. */
  private harmlessAfter(
    setUp: FunctionDefinition,
    beside: 'zeros' | 'memory',
    record: RecordLayout,
    scenario: Scenario,
    index: number,
    at: number,
    fault: Fault,
  ): boolean {
    const { fn, arguments: given } = scenario.calls[index]!;
    const place = setUp.parameters.findIndex((_, i) => setsUp(new Map([[record, new Set([setUp])]]), setUp, i));
    const first: Call = {
      fn: setUp,
      arguments: setUp.parameters.map(({ type, ctype }, i): Argument =>
        i !== place
          ? besideStructure(type, ctype, beside)
          : resultByValue(setUp) === record
            ? { kind: 'object', type: { kind: 'record', record }, contents: {} }
            : given[at]!,
      ),
    };
    const later = (argument: Argument): Argument =>
      argument.kind === 'earlier' && argument.call >= index ? { ...argument, call: argument.call + 1 } : argument;
    const calls: Call[] = [
      ...scenario.calls.slice(0, index),
      first,
      {
        fn,
        arguments: given.map((argument, i) =>
          i === at ? { kind: 'earlier', call: index, argument: place } : later(argument),
        ),
      },
      ...scenario.calls.slice(index + 1).map((call) => ({ ...call, arguments: call.arguments.map(later) })),
    ];
    const run = this.runner.run({ ...scenario, calls }, { stepLimit: limits.steps });
    const again = faultOf(run);
    // That it cannot even be set up like this, or is refused, says nothing.
    return (
      run !== undefined && (run.outcome.kind === 'returned' || run.last > index) && !(again && failsAlike(again, fault))
    );
  }
}

const takes = ({ ctype, parameters }: FunctionDefinition, record: RecordLayout): boolean =>
  parameters.some((parameter) => recordBehind(parameter) === record) ||
  (ctype.kind === 'function' && ctype.parameters.some(({ type }) => type.kind === 'record' && type.record === record));

function besideStructure(type: Scalar, ctype: CType | undefined, beside: 'zeros' | 'memory'): Argument {
  if (beside === 'zeros') return { kind: 'scalar', value: type.kind === 'pointer' ? 0 : zero(type) };
  if (type.kind !== 'pointer')
    return { kind: 'scalar', value: type.kind === 'integer' && isWide(type) ? BigInt(limits.stated) : limits.stated };
  const to = ctype?.kind === 'pointer' ? ctype.to : undefined;
  const of: CType | undefined =
    to?.kind === 'void'
      ? { kind: 'integer', name: 'unsigned char', widthBits: 8, signed: false }
      : to?.kind === 'integer' || to?.kind === 'float'
        ? { ...to, const: false }
        : undefined;
  return of
    ? { kind: 'object', type: { kind: 'array', of, length: limits.elements }, contents: [] }
    : { kind: 'scalar', value: 0 };
}

/** Through its parameter, member by member, as it stands in the text; it looks at none of them. */
function writesAll({ parameters, edges }: FunctionDefinition, record: RecordLayout): boolean {
  const parameter = parameters.find((one) => recordBehind(one) === record);
  if (!parameter || !record.complete) return false;
  const offsets = new Set<number>();
  let isRead = false;
  for (const { command } of edges) {
    if (command.kind === 'store') {
      const offset = offsetFrom(parameter, command.address);
      if (offset !== undefined) offsets.add(offset);
    }
    for (const expression of expressionsOf(command))
      walk(expression, (inner) => {
        if (inner.kind === 'load' && variablesIn(inner).has(parameter)) isRead = true;
      });
  }
  const members = record.fields.filter(({ name, type }) => name !== undefined && type.kind !== 'array');
  return !isRead && members.length > 0 && members.every(({ offsetBytes }) => offsets.has(offsetBytes));
}

/** In bytes; undefined for what does not lie there, or not always at one place. */
function offsetFrom(parameter: Variable, address: Expression): number | undefined {
  if (address.kind === 'read') return address.variable === parameter ? 0 : undefined;
  if (address.kind !== 'offset' || address.delta.kind !== 'integer') return undefined;
  const before = offsetFrom(parameter, address.pointer);
  return before === undefined ? undefined : before + Number(address.delta.value);
}
