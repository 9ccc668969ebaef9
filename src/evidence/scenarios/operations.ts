/** Logged operations of a test as the steps a test author would write. */
import { decode } from '../../host/values/decode';
import type { HostValue, Operation } from '../../host/operation';
import { fromHex } from '../../host/values/scalar';
import { parseType } from '../../host/typeText';
import type { FunctionDefinition, Program } from '../../program/program';
import type { ClientStep, ClientValue, Plain } from '../../verdict';

/** The steps of one run, told in turn; a pointer that a call returned has a name where it is handed on. */
export class TestSteps {
  readonly steps: ClientStep[] = [];
  private made = 0;
  /** Index of a call's step, by the pointer that it returned. */
  private readonly returned = new Map<string, number>();

  constructor(private readonly program: Program) {}

  /** Adds the step of an operation that has not been executed yet. */
  add(operation: Operation): void {
    switch (operation.kind) {
      case 'call':
        this.steps.push({
          kind: 'call',
          function: operation.function,
          arguments: operation.arguments.map((value) => this.clientValue(value)),
        });
        return;
      case 'allocate':
        this.steps.push({
          kind: 'allocate',
          name: nameOf(this.made++),
          type: operation.type,
          value: contentsOf(operation.type, operation.bytes, this.program),
        });
        return;
      case 'write':
      case 'poke':
    }
  }

  /** Records the result, as logged, of the call that was added last. */
  result(value: HostValue): void {
    if ('object' in value && value.object !== 0) this.returned.set(keyOf(value), this.steps.length - 1);
  }

  private clientValue(value: HostValue): ClientValue {
    if ('integer' in value) {
      const number = BigInt(value.integer);
      const plain = number >= -(1n << 31n) && number < 1n << 32n ? Number(number) : number;
      return { kind: 'value', value: plain };
    }
    if ('float' in value) return { kind: 'value', value: Number(value.float) };
    if ('allocation' in value) return { kind: 'object', name: nameOf(value.allocation) };
    const at = this.returned.get(keyOf(value));
    const call = at === undefined ? undefined : this.steps[at];
    if (call?.kind !== 'call') return { kind: 'value', value: null };
    const name = call.name ?? `result${this.steps.slice(0, at! + 1).filter(({ kind }) => kind === 'call').length}`;
    this.steps[at!] = { ...call, name };
    return { kind: 'object', name };
  }
}

const nameOf = (index: number): string => `object${index + 1}`;
const keyOf = ({ object, offset }: Extract<HostValue, { object: number }>): string => `${object}+${offset}`;

/** Bytes as a plain value of their type; null pointers inside, undefined for what was never written. */
function contentsOf(type: string, hex: string, program: Program): Plain | undefined {
  if (hex === '') return undefined;
  return decode(
    { bytes: fromHex(hex), isInitialised: () => true },
    0,
    parseType(type, program),
    program.dataModel,
    () => null,
  ) as Plain;
}

/**
 * The reason why no client in the sense of proofs can bring about the states after the operation: the test wrote a
 * variable of the module, or passed variable arguments. Undefined if a client can.
 */
export function leavesTheClient(operation: Operation, program: Program): string | undefined {
  switch (operation.kind) {
    case 'allocate':
      return undefined;
    case 'poke':
      return wrote;
    case 'write':
      return 'allocation' in operation.target ? undefined : wrote;
    case 'call': {
      const fn = program.functionByName.get(operation.function);
      // A stub's effects while C waited for it are the client's, too.
      const inside = operation.answers
        .flatMap((answer) => ('does' in answer ? answer.does : []))
        .filter(({ kind }) => kind === 'call')
        .flatMap((call) => leavesTheClient(call, program) ?? []);
      if (inside.length > 0) return inside[0];
      return fn && isVariadic(fn)
        ? `a test called ${fn.name}, which takes a variable number of arguments; what it did from there on is not ` +
            'counted as reachable'
        : undefined;
    }
  }
}

const wrote = 'a test wrote a variable of the module; what it did afterwards is not counted as reachable';

export function isVariadic(fn: FunctionDefinition): boolean {
  return fn.ctype.kind === 'function' && fn.ctype.variadic;
}
