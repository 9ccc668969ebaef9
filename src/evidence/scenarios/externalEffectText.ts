/**
 * A deed in words of C, and as a stub in a test does it, where one can: a stub writes where its own arguments point,
 * and the module's variables.
 */
import { sizeOf } from '../../c/layout';
import { printType } from '../../c/printType';
import { unqualified } from '../../c/target';
import type { CType } from '../../c/types';
import type { Scalar } from '../../program/expression';
import type { Program } from '../../program/program';
import type { ConcreteValue } from '../../semantics/concrete/concreteValues';
import { unreachable } from '../../unreachable';
import type { OutsideDeed, Plain, PointerStep, StubDeed } from '../../verdict';
import { type Deed, isWay, type Way } from './externalEffect';
import type { KnownPointer } from './externalEnvironment';

export interface DeedContext {
  readonly program: Program;
  /** Of the function called so many such calls ago. */
  readonly nameOf: (ago: number) => string;
  readonly resolve: (way: Way) => KnownPointer | undefined;
}

/** Before it is done: ways lead where they lead then. */
export function deedText(deed: Deed, context: DeedContext): OutsideDeed {
  switch (deed.kind) {
    case 'write': {
      const value = valueText(deed.value, context);
      if (deed.to.kind === 'fresh') return { text: `${value} at byte ${deed.offsetBytes}` };
      const known = context.resolve(deed.to);
      const target = context.program.dataModel;
      const path = known?.to && pathTo(known.to, deed.offsetBytes, (type) => sizeOf(type, target));
      const stub =
        path && !isWay(deed.value) && deed.to.kind === 'argument' && deed.to.ago === 0
          ? { kind: 'write' as const, parameter: deed.to.index, steps: path.steps, value: plain(deed.value, deed.type) }
          : undefined;
      const place = path
        ? placeText(deed.to, path, context)
        : `*(${scalarText(deed.type)} *)((char *)${wayText(deed.to, context)} + ${deed.offsetBytes})`;
      return { text: `${place} = ${value}`, ...(stub && { stub }), ...(!stub && stubForObject(deed, path)) };
    }
    case 'set':
      return {
        text: `${deed.variable} = ${valueText(deed.value, context)}`,
        ...(!isWay(deed.value) && {
          stub: { kind: 'set', variable: deed.variable, value: deed.value } satisfies StubDeed,
        }),
      };
    case 'free':
      return { text: `free(${wayText(deed.what, context)})` };
    case 'call': {
      const fn = context.program.functionByName.get(deed.function);
      const args = deed.arguments.map((value, i) => (fn?.parameters[i]?.type.kind === 'pointer' ? null : value));
      return {
        text: `${deed.function}(${args.map((value) => (value === null ? 'NULL' : String(value))).join(', ')})`,
        stub: { kind: 'call', function: deed.function, arguments: args },
      };
    }
    default:
      return unreachable(deed);
  }
}

function stubForObject(deed: Extract<Deed, { kind: 'write' }>, path: Path | undefined): { readonly stub?: StubDeed } {
  if (deed.to.kind !== 'object' || isWay(deed.value) || path?.text !== '' || path.element !== 0) return {};
  return { stub: { kind: 'set', variable: deed.to.name, value: plain(deed.value, deed.type) } };
}

const plain = (value: ConcreteValue, type: Scalar): Plain => (type.kind === 'pointer' ? null : value);

function valueText(value: ConcreteValue | Way, context: DeedContext): string {
  return isWay(value) ? wayText(value, context) : String(value);
}

export function parametersOf(program: Program, name: string): string[] {
  const type = program.externals.find((external) => external.name === name)?.ctype;
  return type?.kind === 'function' ? type.parameters.map((parameter, i) => parameter.name ?? `argument${i + 1}`) : [];
}

function wayText(way: Way, context: DeedContext): string {
  switch (way.kind) {
    case 'argument': {
      const name = context.nameOf(way.ago);
      const parameter = parametersOf(context.program, name)[way.index] ?? `argument ${way.index + 1}`;
      return way.ago === 0 ? parameter : `(${parameter} of an earlier ${name}())`;
    }
    case 'variable':
      return way.name;
    case 'object':
      return `&${way.name}`;
    case 'fresh':
      return 'the new memory';
    case 'inside': {
      const known = context.resolve(way.of);
      const path = known?.to && pathTo(known.to, way.offsetBytes, (type) => sizeOf(type, context.program.dataModel));
      return path
        ? placeText(way.of, path, context)
        : `*(void **)((char *)${wayText(way.of, context)} + ${way.offsetBytes})`;
    }
    default:
      return unreachable(way);
  }
}

function placeText(way: Way, { element, text }: Path, context: DeedContext): string {
  if (way.kind === 'object' && element === 0) return `${way.name}${text}`;
  const base = wayText(way, context);
  if (element !== 0) return `${base}[${element}]${text}`;
  if (way.kind === 'argument' && context.resolve(way)?.copy) return `${base}${text}`;
  return text.startsWith('.') ? `${base}->${text.slice(1)}` : text === '' ? `*${base}` : `(*${base})${text}`;
}

/** From a pointer to a type on: to the element, and in it. */
interface Path {
  readonly element: number;
  readonly text: string;
  readonly steps: readonly PointerStep[];
}

function pathTo(type: CType, offsetBytes: number, size: (type: CType) => number | undefined): Path | undefined {
  const bytes = size(type);
  if (!bytes) return undefined;
  const element = Math.floor(offsetBytes / bytes);
  let rest = offsetBytes - element * bytes;
  let inside = type;
  let text = '';
  const steps: PointerStep[] = element === 0 ? [] : [{ kind: 'at', index: element }];
  for (;;) {
    switch (inside.kind) {
      case 'record': {
        const field = inside.record.fields.find(
          (one) =>
            one.name !== undefined &&
            !one.bits &&
            rest >= one.offsetBytes &&
            rest < one.offsetBytes + (size(one.type) ?? 0),
        );
        if (!field) return undefined;
        text += `.${field.name}`;
        steps.push({ kind: 'field', name: field.name! });
        rest -= field.offsetBytes;
        inside = field.type;
        break;
      }
      case 'array': {
        const of = size(inside.of);
        if (!of) return undefined;
        const index = Math.floor(rest / of);
        text += `[${index}]`;
        steps.push(
          { kind: 'as', type: printType(unqualified(inside.of)) },
          ...(index === 0 ? [] : [{ kind: 'at', index } as const]),
        );
        rest -= index * of;
        inside = inside.of;
        break;
      }
      case 'integer':
      case 'enum':
      case 'float':
      case 'pointer':
        return rest === 0 ? { element, text, steps } : undefined;
      case 'void':
      case 'function':
        return undefined;
      default:
        return unreachable(inside);
    }
  }
}

function scalarText(type: Scalar): string {
  switch (type.kind) {
    case 'pointer':
      return 'void *';
    case 'float':
      return type.widthBits === 32 ? 'float' : 'double';
    case 'integer':
      return `${type.signed ? '' : 'u'}int${type.widthBits}_t`;
    default:
      return unreachable(type);
  }
}
