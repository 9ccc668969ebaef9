/**
 * `provest slice`: which statements matter to a check, as C text that still compiles, and why a line is one of them.
 */
import type { Command } from 'commander';
import type { SlicedFile, SliceStep } from '../../reductions/slice/sliceFile';
import type { Backend } from '../backend';
import { definedFunction } from '../definedFunction';
import { exitCode, type ExitCode } from '../exitCode';
import { InputError } from '../inputError';
import { addLoadOptions, existingCFile, loadOptions, type LoadFlags } from '../loadOptions';
import { parseChoice, parseProperties } from '../options';
import type { Terminal } from '../terminal';

export interface SliceFlags extends LoadFlags {
  readonly criterion: string;
  readonly kind: string;
  readonly entry?: string;
  readonly property?: string;
  readonly why?: string;
  readonly json?: boolean;
}

const kinds = ['thin', 'value', 'value+', 'backward'] as const;

export function addSliceOptions(command: Command): Command {
  return addLoadOptions(
    command
      .description('print the statements that matter to a check; the others are blank, and lines stay where they are')
      .argument('<files...>', 'C files, linked together; the first one is printed')
      .requiredOption('--criterion <line[:column]>', 'the checks there, in the first file')
      .option(
        '--kind <kind>',
        'thin: what computes the values; value: and the branches that decide which; value+: and those whose ' +
          'conditions are computed anyway; backward: and all that decide whether the check is reached',
        'value+',
      )
      .option('--entry <function>', 'a program that begins here (default: a module, whose functions clients call)')
      .option('--property <properties>', 'whose checks: as for verify')
      .option('--why <line>', 'say what on this line matters, instead of the text')
      .option('--json', 'lines, reasons and text as JSON'),
  );
}

export async function sliceFiles(
  files: readonly string[],
  flags: SliceFlags,
  terminal: Terminal,
  backend: Backend,
): Promise<ExitCode> {
  const paths = files.map((file) => existingCFile(file, terminal.cwd));
  const load = loadOptions(flags, terminal.cwd);
  const kind = parseChoice('kind of slice', flags.kind, kinds);
  const criterion = parsePlace(flags.criterion);
  const why = flags.why === undefined ? undefined : parsePlace(flags.why).line;
  if (flags.entry !== undefined) {
    const { functions } = backend.loadProgram(paths, { ...load, externals: load.externals ?? 'any' });
    definedFunction(flags.entry, functions);
  }
  const properties = parseProperties(flags.property === undefined ? [] : [flags.property]);
  const result = await backend.slice({ files: paths, load, entry: flags.entry, properties, criterion, kind });
  if ('linesWithChecks' in result) throw noCheck(criterion.line, result.linesWithChecks);
  if (flags.json) terminal.out(`${JSON.stringify({ kind, criterion, ...result }, undefined, 2)}\n`);
  else if (why !== undefined) terminal.out(`${reasonText(why, result)}\n`);
  else {
    terminal.out(result.text.endsWith('\n') ? result.text : `${result.text}\n`);
    terminal.err(`${summary(result)}\n`);
  }
  return exitCode.proved;
}

function parsePlace(text: string): { readonly line: number; readonly column: number | undefined } {
  const [, line, column] = /^(\d+)(?::(\d+))?$/u.exec(text.trim()) ?? [];
  if (line === undefined) throw new InputError(`'${text}' is no line`, 'write 12, or 12:5 with the column');
  return { line: Number(line), column: column === undefined ? undefined : Number(column) };
}

function noCheck(line: number, lines: readonly number[]): InputError {
  const near = [...lines].sort((a, b) => Math.abs(a - line) - Math.abs(b - line)).slice(0, 6);
  return new InputError(
    `there is no check of these properties on line ${line}`,
    near.length === 0
      ? 'choose others with --property'
      : `the nearest are on lines ${near.sort((a, b) => a - b).join(', ')}`,
  );
}

/** "kept 17 of 96 commands for assertion: x == 3 (line 12); not needed: log (called at 38, 39)". */
function summary({ kept, commands, checks, dropped, isPrinted }: SlicedFile): string {
  const about = checks.map(({ check, text, line }) => `${check}: ${text} (line ${line})`).join('; ');
  const gone = dropped.map(
    ({ function: name, calledAt }) => `${name}${calledAt.length > 0 ? ` (called at ${calledAt.join(', ')})` : ''}`,
  );
  return [
    `kept ${kept} of ${commands} commands and branches for ${about}`,
    ...(isPrinted ? [] : ['the text is printed whole, because macros stand for parts of its statements; see --json']),
    ...(gone.length > 0 ? [`not needed: ${gone.join(', ')}`] : []),
  ].join('\n');
}

function reasonText(line: number, { reasons, lines }: SlicedFile): string {
  const steps = reasons[line];
  if (!steps) return `line ${line} does not matter to the check; ${nearText(line, lines)}`;
  const placeOf = ({ file, line: at }: SliceStep): string =>
    file === undefined ? `line ${at}` : `${file}, line ${at}`;
  return steps.map((step) => `${placeOf(step)}: ${step.text}  (${step.does})`).join('\n');
}

/** A slice of a large file has hundreds of lines. */
const nearestLines = 24;

function nearText(line: number, lines: readonly number[]): string {
  if (lines.length <= nearestLines) return `in the slice are lines ${rangesOf(lines)}`;
  const near = [...lines].sort((a, b) => Math.abs(a - line) - Math.abs(b - line)).slice(0, nearestLines);
  const shown = rangesOf(near.sort((a, b) => a - b));
  return `in the slice are ${lines.length} lines, of which the nearest are ${shown}`;
}

/** Lines in ascending order, those in a row as a range: 3, 5-9. */
function rangesOf(lines: readonly number[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const line of lines) {
    const range = ranges.at(-1);
    if (range && line === range.last + 1) range.last = line;
    else ranges.push({ first: line, last: line });
  }
  return ranges.map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`)).join(', ');
}
