/**
 * The same run twice, by the reference machine and with as much as possible compiled: everything that can be seen of it
 * must be the same.
 */
import type { Program } from '../../src/program';
import { Machine, type MachineOptions, type RunOutcome } from '../../src/semantics';

export interface Seen {
  readonly outcome: unknown;
  readonly steps: number;
  readonly output: string;
  readonly globals: readonly unknown[];
  readonly inputs: readonly unknown[];
  readonly blocks: readonly unknown[];
  readonly compiledSteps: number;
}

/** `run` gets a fresh machine each time; what it calls last is what is compared. */
export function seenOf(
  program: Program,
  execution: 'reference' | 'compiled' | 'tiered',
  run: (machine: Machine) => RunOutcome,
  options: MachineOptions = {},
): Seen {
  let output = '';
  const machine = new Machine(program, {
    ...options,
    execution,
    output: (text) => {
      output += text;
    },
  });
  const outcome = run(machine);
  return {
    outcome: plain(outcome),
    steps: machine.steps + Number(machine.leaptSteps),
    output,
    globals: machine.globals.map(show),
    inputs: machine.inputs.map(plain),
    blocks: blocksOf(machine),
    compiledSteps: machine.compiledSteps,
  };
}

/** Undefined when both are the same, else what differs first. */
export function firstDifference(reference: Seen, compiled: Seen): string | undefined {
  for (const key of ['outcome', 'steps', 'output', 'globals', 'inputs', 'blocks'] as const) {
    const [a, b] = [JSON.stringify(reference[key]), JSON.stringify(compiled[key])];
    if (a === b) continue;
    let at = 0;
    while (a[at] === b[at]) at++;
    const near = (text: string) => text.slice(Math.max(0, at - 60), at + 100);
    return `${key}: reference …${near(a)}…, compiled …${near(b)}…`;
  }
  return undefined;
}

export function compare(
  program: Program,
  run: (machine: Machine) => RunOutcome,
  options: MachineOptions = {},
): string | undefined {
  return firstDifference(seenOf(program, 'reference', run, options), seenOf(program, 'compiled', run, options));
}

const show = (value: unknown): string =>
  Object.is(value, -0) ? '-0' : typeof value === 'bigint' ? `${value}n` : String(value);

/** Without what leads back into the program: spans as places, functions and commands by name and text. */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, part: unknown) => {
      if (typeof part === 'bigint') return `${part}n`;
      if (typeof part === 'number' && !Number.isFinite(part)) return String(part);
      if (key === 'span') return spanText(part);
      if (key === 'command') return undefined;
      if (key === 'function') return (part as { readonly name: string }).name;
      return part;
    }),
  ) as unknown;
}

function spanText(span: unknown): string {
  if (typeof span !== 'object' || span === null) return '';
  const { start, end } = span as { readonly start: number; readonly end: number };
  return `${start}-${end}`;
}

function blocksOf({ memory }: Machine): unknown[] {
  const blocks: unknown[] = [];
  for (let number = 1; number < memory.nextNumber; number++) {
    const block = memory.block(number * 2 ** 32);
    if (!block) continue;
    const { kind, sizeBytes, live, name, madeAt, diedAt, bytes, written } = block;
    blocks.push([
      number,
      kind,
      sizeBytes,
      live,
      name,
      spanText(madeAt),
      spanText(diedAt),
      Buffer.from(bytes).toString('hex'),
      // Without a shadow all is written.
      written?.every((mark) => mark === 1) ? '' : Buffer.from(written ?? []).toString('hex'),
    ]);
  }
  return blocks;
}
