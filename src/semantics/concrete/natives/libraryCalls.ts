/** Calls of library functions that are implemented here: their view of the machine, and their results as C has them. */
import type { ExternalCommand } from '../../../program/command';
import { int32, type Scalar } from '../../../program/expression';
import { errnoOf } from '../../../program/linking/natives';
import type { Program } from '../../../program/program';
import { unreachable } from '../../../unreachable';
import type { ConcreteMemory } from '../concreteMemory';
import { pointerTo, wrapInteger, type ConcreteValue } from '../concreteValues';
import type { Environment } from '../environment/environment';
import type { Native, NativeCall } from './native';

export class LibraryCalls {
  constructor(
    private readonly program: Program,
    private readonly memory: ConcreteMemory,
    private readonly environment: Environment,
    private readonly isChecked: NativeCall['isChecked'],
  ) {}

  of(name: string, values: readonly ConcreteValue[] = [], types: readonly Scalar[] = []): NativeCall {
    return {
      name,
      arguments: values,
      types,
      memory: this.memory,
      model: this.program.dataModel,
      argumentTypes: this.program.argumentTypes,
      environment: this.environment,
      errorNumber: () => {
        const object = errnoOf(this.program);
        return object ? Number(this.memory.load(pointerTo(object.number), int32)) : 0;
      },
      isChecked: this.isChecked,
    };
  }

  run(
    native: Native,
    { name, arguments: args, resultType }: ExternalCommand,
    values: readonly ConcreteValue[],
  ): ConcreteValue | undefined {
    const result = native.run(
      this.of(
        name,
        values,
        args.map(({ type }) => type),
      ),
    );
    return result === undefined || !resultType ? result : inType(result, resultType);
  }
}

function inType(value: ConcreteValue, type: Scalar): ConcreteValue {
  switch (type.kind) {
    case 'integer':
      return wrapInteger(BigInt(value), type);
    case 'float':
      return type.widthBits === 32 ? Math.fround(Number(value)) : Number(value);
    case 'pointer':
      return value;
    default:
      return unreachable(type);
  }
}
