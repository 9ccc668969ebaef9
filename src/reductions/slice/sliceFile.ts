/** A slice for a person: the text, how much of the program it is, and why a line is in it. */
import { basename } from 'node:path';
import { plainOptions, TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import { readSyntax } from '../../c/read';
import type { SourceFile } from '../../c/source';
import { loadProgram } from '../../program';
import { type Check, isChecked, type Property } from '../../program/command';
import type { FunctionDefinition, Program } from '../../program/program';
import type { LoadOptions } from '../../task';
import { printSlice } from './printSlice';
import { type Cause, isBranch, isDroppable, type KeptCommand, slice, type Slice, type SliceKind } from './slice';

export interface SliceRequest {
  readonly files: readonly string[];
  readonly load: LoadOptions;
  /** Program mode from this function; default: a module, whose functions clients may call. */
  readonly entry: string | undefined;
  readonly properties: readonly Property[];
  /** In the first file; `column` tells checks of one line apart. */
  readonly criterion: { readonly line: number; readonly column: number | undefined };
  readonly kind: SliceKind;
}

export interface SlicedFile {
  readonly text: string;
  /** False: macros stand for parts of statements, so that the text is the whole one. */
  readonly isPrinted: boolean;
  readonly checks: readonly { readonly check: string; readonly text: string; readonly line: number }[];
  /** Number of assignments, writes to memory, calls and branches. */
  readonly kept: number;
  readonly commands: number;
  /** Lines of the first file with something that is kept. */
  readonly lines: readonly number[];
  /** Functions that need not be called, with the lines of their calls in the first file. */
  readonly dropped: readonly { readonly function: string; readonly calledAt: readonly number[] }[];
  /** By line: from what is kept there to the check, each with what it does for the next. */
  readonly reasons: Readonly<Record<number, readonly SliceStep[]>>;
}

export interface SliceStep {
  /** Name of the file, if it is not the first one. */
  readonly file?: string;
  readonly line: number;
  readonly text: string;
  readonly does: string;
}

/** No check of the properties is there; `lines`: where there are some, in ascending order. */
export class NoCriterion extends Error {
  constructor(readonly lines: readonly number[]) {
    super('there is no check at the criterion');
  }
}

/** Throws `CError` for wrong C, `NoCriterion`. */
export function sliceFile({ files, load, entry, properties, criterion, kind }: SliceRequest): SlicedFile {
  const program = loadProgram(files, { ...load, externals: load.externals ?? 'any' });
  const entries = entry === undefined ? clientsOf(program) : [program.functionByName.get(entry)!];
  const checkedProperties = new Set(properties);
  const system = new TransitionSystem(program, {
    ...plainOptions,
    mode: entry === undefined ? 'module' : 'program',
    entries,
    checkedProperties,
  });
  const path = files[0]!;
  const all = program.functions.flatMap((fn) =>
    fn.edges.flatMap(({ command }) =>
      command.kind === 'check' && isChecked(command, checkedProperties) && command.span.file.path === path
        ? [{ check: command, ...positionOf(command) }]
        : [],
    ),
  );
  const chosen = all.filter(({ line, column }) => line === criterion.line && (criterion.column ?? column) === column);
  if (chosen.length === 0) throw new NoCriterion([...new Set(all.map(({ line }) => line))].sort((a, b) => a - b));
  const one = slice(system, new Set(chosen.map(({ check }) => check)), kind);
  const file = chosen[0]!.check.span.file;
  const { unit } = readSyntax(path, load);
  const printed = unit && printSlice(one, file, unit);
  // Macros may stand for parts of statements that cannot be distinguished.
  const isPrinted = printed !== undefined && readSyntax(path, load, printed).unit !== undefined;
  const commands = one.functions.flatMap((fn) => [
    ...fn.edges.filter(({ command }) => isDroppable(command)),
    ...fn.locations.filter(isBranch),
  ]);
  return {
    text: isPrinted ? printed : file.text,
    isPrinted,
    checks: chosen.map(({ check, line }) => ({ check: check.check, text: check.text, line })),
    kept: commands.filter((each) => one.kept.has(each)).length,
    commands: commands.length,
    lines: linesOf(one, file),
    dropped: droppedFunctions(one, file),
    reasons: reasonsOf(one, file),
  };
}

const clientsOf = ({ functions }: Program): readonly FunctionDefinition[] =>
  functions.filter((fn) => !fn.library && fn.linkage === 'external');

function positionOf(check: Check): { readonly line: number; readonly column: number } {
  const { file, start } = check.span;
  return file.position(start);
}

const spanOf = (kept: KeptCommand) => ('edges' in kept ? kept.edges[0]!.span : kept.span);

function lineOf(kept: KeptCommand, file: SourceFile): number | undefined {
  const span = spanOf(kept);
  return span.file.path === file.path ? span.file.position(span.start).line : undefined;
}

function linesOf({ kept }: Slice, file: SourceFile): readonly number[] {
  return [...new Set([...kept.keys()].flatMap((one) => lineOf(one, file) ?? []))].sort((a, b) => a - b);
}

function droppedFunctions(one: Slice, file: SourceFile): SlicedFile['dropped'] {
  const { weakening, functions } = one;
  const calls = functions.flatMap(({ edges }) => edges.filter(({ command }) => command.kind === 'call'));
  const needed = new Set(
    calls.flatMap((edge) =>
      edge.command.kind === 'call' && !weakening.dropped.has(edge) ? [...edge.command.targets] : [],
    ),
  );
  const { entries } = one.system.options;
  return functions
    .filter((fn) => !needed.has(fn) && !entries.includes(fn) && !fn.library)
    .map((fn) => ({
      function: fn.name,
      calledAt: [
        ...new Set(
          calls.flatMap((edge) =>
            edge.command.kind === 'call' && edge.command.targets.includes(fn) ? (lineOf(edge, file) ?? []) : [],
          ),
        ),
      ],
    }));
}

/** The shortest reason of each line. */
function reasonsOf({ kept }: Slice, file: SourceFile): Readonly<Record<number, readonly SliceStep[]>> {
  const found: Record<number, readonly SliceStep[]> = {};
  for (const one of kept.keys()) {
    const line = lineOf(one, file);
    if (line === undefined) continue;
    const steps = stepsFrom(one, kept, file);
    if (!found[line] || steps.length < found[line].length) found[line] = steps;
  }
  return found;
}

function placeOf(kept: KeptCommand, printed: SourceFile): Pick<SliceStep, 'file' | 'line'> {
  const { file, start } = spanOf(kept);
  const { line } = file.position(start);
  return file.path === printed.path ? { line } : { file: basename(file.path), line };
}

/** "line 12", "list.c, line 3". */
const placeText = ({ file, line }: Pick<SliceStep, 'file' | 'line'>): string =>
  file === undefined ? `line ${line}` : `${file}, line ${line}`;

function stepsFrom(
  first: KeptCommand,
  kept: ReadonlyMap<KeptCommand, Cause>,
  printed: SourceFile,
): readonly SliceStep[] {
  const steps: SliceStep[] = [];
  const seen = new Set<KeptCommand>();
  for (let one: KeptCommand | undefined = first; one && !seen.has(one); one = kept.get(one)!.by) {
    seen.add(one);
    const { file, start, end } = spanOf(one);
    const text = file.text.slice(start, end).split('\n')[0]!.trim();
    const { by, what } = kept.get(one)!;
    const next = by && kept.get(by)?.by ? placeText(placeOf(by, printed)) : 'the check';
    steps.push({ ...placeOf(one, printed), text, does: what(next) });
  }
  return steps;
}
