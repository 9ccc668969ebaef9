/**
 * `provest check --with cbmc FILE.c`: proves the program and has another verifier check the proof. A check that is
 * refuted is an alarm: provest is wrong until shown otherwise.
 */
import { readFileSync } from 'node:fs';
import { formatVerdict, relativeTo } from '../../report';
import type { OpinionJson } from '../../report';
import type { Task } from '../../task';
import type { Verdict } from '../../verdict';
import type { Backend } from '../backend';
import { definedFunction } from '../definedFunction';
import { exitCode, type ExitCode } from '../exitCode';
import { InputError } from '../inputError';
import { existingCFile, loadOptions, type LoadFlags } from '../loadOptions';
import { parseChoice, parseDurationMs, parseProperties } from '../options';
import { findCbmc, type Cbmc } from '../secondOpinion/cbmc';
import type { JudgedCheck } from '../secondOpinion/compare';
import { secondOpinion, type SecondOpinion } from '../secondOpinion/opinion';
import type { Terminal } from '../terminal';

export interface OpinionFlags extends LoadFlags {
  readonly with?: string;
  readonly entry?: string;
  readonly property: readonly string[];
  readonly budget: string;
  readonly json?: boolean;
}

export const peers = ['cbmc'] as const;

export async function askPeer(
  files: readonly string[],
  flags: OpinionFlags,
  terminal: Terminal,
  backend: Backend,
): Promise<ExitCode> {
  const { cwd } = terminal;
  parseChoice('verifier', flags.with!, peers);
  if (files.length !== 1)
    throw new InputError(
      'a second opinion is about one C file',
      'join the files of the program, or check them one after the other',
    );
  const path = existingCFile(files[0]!, cwd);
  const milliseconds = parseDurationMs(flags.budget);
  const properties = parseProperties(flags.property);
  const cbmc = findInstalled();
  const load = { externals: 'any' as const, ...loadOptions(flags, cwd) };
  const program = backend.loadProgram([path], { ...load, externals: 'any' });
  const functions = program.functions.filter((fn) => !fn.library);
  const entry =
    flags.entry === undefined ? functions.find(({ name }) => name === 'main') : definedFunction(flags.entry, functions);
  if (!entry)
    throw new InputError(
      'a second opinion is for programs: there is no main',
      'choose the entry of a program with --entry',
    );
  const task: Task = {
    files: [path],
    load,
    mode: 'program',
    entries: [entry.name],
    probes: [],
    runs: [],
    properties,
    engine: 'auto',
    seed: 1,
    budget: { milliseconds },
    annotate: true,
  };
  const controller = new AbortController();
  const stop = terminal.onInterrupt(() => controller.abort());
  const verdict = await backend
    .verify(task, { progress: () => {}, signal: controller.signal, memory: undefined })
    .finally(stop);
  const subject = relativeTo(cwd, path);
  const opinion =
    verdict.kind === 'proved'
      ? await secondOpinion({
          cbmc,
          task,
          verdict,
          source: readFileSync(path, 'utf8'),
          dataModel: program.dataModel,
          base: cwd,
          milliseconds,
        })
      : undefined;
  const text = (): string =>
    opinion
      ? opinionText(subject, opinion)
      : `${formatVerdict(verdict, { color: terminal.color, subject, base: cwd })}\n\n` +
        'There is no proof that CBMC could check.';
  terminal.out(`${flags.json ? JSON.stringify(inJson(verdict, opinion, backend.version)) : text()}\n`);
  return codeOf(opinion);
}

function findInstalled(): Cbmc {
  const cbmc = findCbmc(process.env['PATH'] ?? '');
  if (!cbmc)
    throw new InputError(
      'CBMC is not installed: goto-cc, goto-instrument and cbmc have to be on PATH; nothing was checked',
      'install it (Debian: apt install cbmc), or write the annotated program with `provest verify --annotated`',
    );
  return cbmc;
}

function codeOf(opinion: SecondOpinion | undefined): ExitCode {
  if (!opinion || opinion.failed !== undefined) return exitCode.undecided;
  if (opinion.checks.some((one) => one.opinion.kind === 'refuted')) return exitCode.bug;
  return opinion.checks.every((one) => one.opinion.kind === 'confirmed') ? exitCode.proved : exitCode.undecided;
}

const kinds = ['confirmed', 'refuted', 'not decided'] as const;

function opinionText(subject: string, { checks, annotated, withoutBody, failed }: SecondOpinion): string {
  const loops = `${annotated.annotated} loop${annotated.annotated === 1 ? '' : 's'} with a contract`;
  if (failed !== undefined) return `${subject}: proved; CBMC has no opinion (${loops}): ${failed}`;
  const count = (kind: string): number => checks.filter(({ opinion }) => opinion.kind === kind).length;
  const lines = [
    `${subject}: proved; CBMC on its ${checks.length} check${checks.length === 1 ? '' : 's'}: ` +
      `${kinds.map((kind) => `${count(kind)} ${kind}`).join(', ')} (${loops})`,
    ...checks.flatMap(lineOf),
    ...annotated.unannotated.map(({ line, why }) => `  loop at line ${line}: ${why}`),
  ];
  if (withoutBody.length > 0)
    lines.push(
      `  CBMC takes functions without a body to change nothing: ${withoutBody.join(', ')}. provest takes them to ` +
        'do more.',
    );
  if (count('refuted') > 0)
    lines.push('', 'A refuted check is an alarm: one of the two verifiers is wrong. Please report it with the C file.');
  return lines.join('\n');
}

function lineOf({ check, opinion }: JudgedCheck): readonly string[] {
  const why = opinion.kind === 'confirmed' ? '' : `: ${opinion.why}`;
  return [`  ${check.place.line}:${check.place.column}  ${check.check}  ${check.text}  ${opinion.kind}${why}`];
}

function inJson(verdict: Verdict, opinion: SecondOpinion | undefined, version: string): OpinionJson {
  return {
    schemaVersion: 1,
    tool: { name: 'provest', version },
    peer: 'cbmc',
    verdict: verdict.kind,
    loops: opinion?.annotated.annotated ?? 0,
    incomplete: (opinion?.annotated.unannotated ?? []).map(({ line, why }) => ({ line, reason: why })),
    withoutBody: [...(opinion?.withoutBody ?? [])],
    failed: opinion?.failed ?? null,
    checks: (opinion?.checks ?? []).map(({ check, opinion: { kind, ...rest } }) => ({
      check: check.check,
      property: check.property,
      line: check.place.line,
      column: check.place.column,
      text: check.text,
      opinion: kind === 'not decided' ? 'not-decided' : kind,
      reason: 'why' in rest ? rest.why : null,
    })),
  };
}
