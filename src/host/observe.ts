/** Results of a client's steps, done twice: a test must see the same every time. */
import type { Program } from '../program/program';
import type { ClientStep, ClientValue, Plain } from '../verdict';
import { ModuleInstance } from './module';
import { literal, play, printObservation } from './printing/printTest';

export interface Observed {
  /** With the results of calls. */ readonly steps: readonly ClientStep[];
  readonly instance: ModuleInstance;
}

/** Undefined when a step fails, or the results differ. */
export function observe(
  program: Program,
  steps: readonly ClientStep[],
  entry?: readonly string[],
): Observed | undefined {
  const once = (): Observed | undefined => {
    const instance = new ModuleInstance(program, { name: 'module', ...(entry && { entry }) });
    const seen = [...steps];
    const error = play(instance, steps, (index, value) => {
      const step = seen[index]!;
      if (step.kind === 'call' && isSimple(value)) seen[index] = { ...step, result: value };
    });
    return error === undefined ? { instance, steps: seen } : undefined;
  };
  const [first, second] = [once(), once()];
  const text = (observed: Observed): string => printObservation('', observed.steps, 'module');
  return first && second && text(first) === text(second) ? first : undefined;
}

/**
 * Title of a generated test: that it records what the code does, and the calls with their arguments, which distinguish
 * tests of the same functions.
 */
export function observationTitle(steps: readonly ClientStep[]): string {
  const calls = steps.flatMap((step) =>
    step.kind === 'call' ? [`${step.function}(${step.arguments.map(show).join(', ')})`] : [],
  );
  const runs: { readonly call: string; times: number }[] = [];
  for (const call of calls) {
    const last = runs.at(-1);
    if (last?.call === call) last.times++;
    else runs.push({ call, times: 1 });
  }
  const told = runs.map(({ call, times }) => (times === 1 ? call : `${times} times ${call}`));
  const more = told.length > 6 ? `, … ${calls.length} calls` : '';
  return `shows what the code does: ${told.slice(0, 6).join(', ')}${more}`;
}

function show(value: ClientValue): string {
  if (value.kind === 'object') return value.index === undefined ? value.name : `${value.name}.at(${value.index})`;
  const isLong = typeof value.value === 'string' || (typeof value.value === 'object' && value.value !== null);
  return isLong ? '…' : literal(value.value);
}

const isSimple = (value: unknown): value is Plain =>
  typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' || value === null;
