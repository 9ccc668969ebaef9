/**
 * An external effect in words of C, and as a stub in a test does it, where one can: a stub writes where its own
 * arguments point, and the module's variables.
 */
import { sizeOf } from '../../c/layout';
import { printType } from '../../c/printType';
import { withoutQualifiers } from '../../c/target';
import type { CType } from '../../c/types';
import type { Scalar } from '../../program/expression';
import type { Program } from '../../program/program';
import type { ConcreteValue } from '../../semantics/concrete/concreteValues';
import { unreachable } from '../../unreachable';
import type { ReportedEffect, Plain, PointerStep, StubEffect } from '../../verdict';
import { type ExternalEffect, isAccessPath, type AccessPath } from './externalEffect';
import type { KnownPointer } from './externalEnvironment';

export interface EffectTextContext {
  readonly program: Program;
  /** Names the function called so many such calls ago. */
  readonly nameOf: (ago: number) => string;
  readonly resolve: (accessPath: AccessPath) => KnownPointer | undefined;
}

/** Before it is done: ways lead where they lead then. */
export function externalEffectText(effect: ExternalEffect, context: EffectTextContext): ReportedEffect {
  switch (effect.kind) {
    case 'write': {
      const value = valueText(effect.value, context);
      if (effect.to.kind === 'fresh') return { text: `${value} at byte ${effect.offsetBytes}` };
      const known = context.resolve(effect.to);
      const target = context.program.dataModel;
      const path = known?.to && pathTo(known.to, effect.offsetBytes, (type) => sizeOf(type, target));
      const stub =
        path && !isAccessPath(effect.value) && effect.to.kind === 'argument' && effect.to.ago === 0
          ? {
              kind: 'write' as const,
              parameter: effect.to.index,
              steps: path.steps,
              value: plain(effect.value, effect.type),
            }
          : undefined;
      const place = path
        ? placeText(effect.to, path, context)
        : `*(${scalarText(effect.type)} *)((char *)${wayText(effect.to, context)} + ${effect.offsetBytes})`;
      return { text: `${place} = ${value}`, ...(stub && { stub }), ...(!stub && stubForObject(effect, path)) };
    }
    case 'set':
      return {
        text: `${effect.variable} = ${valueText(effect.value, context)}`,
        ...(!isAccessPath(effect.value) && {
          stub: { kind: 'set', variable: effect.variable, value: effect.value } satisfies StubEffect,
        }),
      };
    case 'free':
      return { text: `free(${wayText(effect.what, context)})` };
    case 'call': {
      const fn = context.program.functionByName.get(effect.function);
      const args = effect.arguments.map((value, i) => (fn?.parameters[i]?.type.kind === 'pointer' ? null : value));
      return {
        text: `${effect.function}(${args.map((value) => (value === null ? 'NULL' : String(value))).join(', ')})`,
        stub: { kind: 'call', function: effect.function, arguments: args },
      };
    }
    default:
      return unreachable(effect);
  }
}

function stubForObject(
  effect: Extract<ExternalEffect, { kind: 'write' }>,
  path: Path | undefined,
): { readonly stub?: StubEffect } {
  if (effect.to.kind !== 'object' || isAccessPath(effect.value) || path?.text !== '' || path.element !== 0) return {};
  return { stub: { kind: 'set', variable: effect.to.name, value: plain(effect.value, effect.type) } };
}

const plain = (value: ConcreteValue, type: Scalar): Plain => (type.kind === 'pointer' ? null : value);

function valueText(value: ConcreteValue | AccessPath, context: EffectTextContext): string {
  return isAccessPath(value) ? wayText(value, context) : String(value);
}

export function parametersOf(program: Program, name: string): string[] {
  const type = program.externals.find((external) => external.name === name)?.ctype;
  return type?.kind === 'function' ? type.parameters.map((parameter, i) => parameter.name ?? `argument${i + 1}`) : [];
}

function wayText(accessPath: AccessPath, context: EffectTextContext): string {
  switch (accessPath.kind) {
    case 'argument': {
      const name = context.nameOf(accessPath.ago);
      const parameter = parametersOf(context.program, name)[accessPath.index] ?? `argument ${accessPath.index + 1}`;
      return accessPath.ago === 0 ? parameter : `(${parameter} of an earlier ${name}())`;
    }
    case 'variable':
      return accessPath.name;
    case 'object':
      return `&${accessPath.name}`;
    case 'fresh':
      return 'the new memory';
    case 'inside': {
      const known = context.resolve(accessPath.of);
      const path =
        known?.to && pathTo(known.to, accessPath.offsetBytes, (type) => sizeOf(type, context.program.dataModel));
      return path
        ? placeText(accessPath.of, path, context)
        : `*(void **)((char *)${wayText(accessPath.of, context)} + ${accessPath.offsetBytes})`;
    }
    default:
      return unreachable(accessPath);
  }
}

function placeText(accessPath: AccessPath, { element, text }: Path, context: EffectTextContext): string {
  if (accessPath.kind === 'object' && element === 0) return `${accessPath.name}${text}`;
  const base = wayText(accessPath, context);
  if (element !== 0) return `${base}[${element}]${text}`;
  if (accessPath.kind === 'argument' && context.resolve(accessPath)?.copy) return `${base}${text}`;
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
          { kind: 'as', type: printType(withoutQualifiers(inside.of)) },
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
      return type.widthBits === 128
        ? `${type.signed ? '' : 'unsigned '}__int128`
        : `${type.signed ? '' : 'u'}int${type.widthBits}_t`;
    default:
      return unreachable(type);
  }
}
