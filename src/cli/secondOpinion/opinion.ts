/**
 * A second opinion on a proof: the program with its proved loop invariants as contracts, checked by CBMC. Loops without
 * contracts are unwound until they end. Where a check is not confirmed, CBMC searches the executions of the program
 * itself, to a depth, for one that fails.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { annotatedProgram, idiomsLeftOpen, type AnnotatedProgram } from '../../report';
import type { Task } from '../../task';
import type { Verdict } from '../../verdict';
import { check, compile, type Cbmc, type CbmcAnswer, type CbmcProgram, type CbmcResult } from './cbmc';
import { judgeChecks, type JudgedCheck } from './compare';

const limits = {
  /** Unwindings, one after the other, until all loops without a contract end. */
  unwindings: [3, 12, 40, 130, 1100],
  /** Depth of the search for a failing execution. */
  executionUnwinding: 12,
  /** Properties that are asked one by one where the SMT solver has no answer to all at once. */
  singleProperties: 60,
} as const;

export interface SecondOpinion {
  readonly checks: readonly JudgedCheck[];
  readonly annotated: AnnotatedProgram;
  /** Functions without a body, which provest takes to be able to do more than CBMC does. */
  readonly withoutBody: readonly string[];
  /** CBMC had no answer; no check is judged. */
  readonly failed?: string;
}

export interface OpinionRequest {
  readonly cbmc: Cbmc;
  readonly task: Task;
  readonly verdict: Extract<Verdict, { kind: 'proved' }>;
  readonly source: string;
  readonly dataModel: CbmcProgram['dataModel'];
  readonly base: string;
  readonly milliseconds: number;
}

export async function secondOpinion(request: OpinionRequest): Promise<SecondOpinion> {
  const { task, verdict, source, base } = request;
  const [file] = task.files as [string];
  const entry = task.entries![0]!;
  const folder = mkdtempSync(join(tmpdir(), 'provest-opinion-'));
  const path = join(folder, 'annotated.c');
  try {
    const annotated = annotatedProgram(verdict.annotations ?? [], {
      dialect: 'cbmc',
      file,
      source,
      entry,
      base,
      name: 'annotated.c',
    });
    writeFileSync(path, annotated.text);
    const program: CbmcProgram = {
      file: path,
      entry,
      include: [dirname(file), ...(task.load.include ?? [])],
      define: Object.entries(task.load.define ?? {}).map(([name, value]) =>
        value === true ? name : `${name}=${value}`,
      ),
      dataModel: request.dataModel,
      properties: verdict.properties,
      mallocMayFail: task.load.mallocMayFail === true,
      quantified: annotated.text.includes('__CPROVER_forall') || annotated.text.includes('__CPROVER_exists'),
    };
    return await askCbmc(request, program, annotated, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function askCbmc(
  { cbmc, verdict, source, milliseconds }: OpinionRequest,
  program: CbmcProgram,
  annotated: AnnotatedProgram,
  folder: string,
): Promise<SecondOpinion> {
  const end = performance.now() + milliseconds;
  const left = (): number => end - performance.now();
  const binary = join(folder, 'annotated.goto');
  const all = verdict.checks ?? [];
  const failed = (why: string): SecondOpinion => ({ checks: [], annotated, withoutBody: [], failed: why });
  const refused = await compile(cbmc, program, binary, annotated.annotated > 0 ? 'applied' : 'ignored', left());
  if (refused !== undefined) return failed(refused);
  const contracts = await unwound(cbmc, program, binary, annotated.rounds + 2, left);
  if (contracts.kind === 'none') return failed(contracts.why);
  const comparison = {
    contracts: contracts.results,
    executions: undefined,
    assertions: new Set(idiomsLeftOpen(source).map(({ name }) => name)),
    lines: source.split('\n'),
    incomplete: incompleteness(annotated, verdict, program, cbmc),
  };
  const withoutBody = contracts.results.flatMap(({ subject, name }) =>
    subject.kind === 'no-body' ? [name.replace(/^.*\.no-body\./, '')] : [],
  );
  const first = judgeChecks(all, comparison);
  const answer = { checks: first, annotated, withoutBody: [...new Set(withoutBody)] };
  if (first.every(({ opinion }) => opinion.kind === 'confirmed') || left() < 1000) return answer;
  const plain = join(folder, 'plain.goto');
  if ((await compile(cbmc, program, plain, 'ignored', left())) !== undefined) return answer;
  const executions = await check(cbmc, { ...program, quantified: false }, plain, {
    unwind: limits.executionUnwinding,
    complete: false,
    timeoutMs: left(),
  });
  if (executions.kind === 'none') return answer;
  return { ...answer, checks: judgeChecks(all, { ...comparison, executions: executions.results }) };
}

function incompleteness(
  { unannotated }: AnnotatedProgram,
  verdict: OpinionRequest['verdict'],
  { quantified }: CbmcProgram,
  { hasZ3 }: Cbmc,
): string | undefined {
  const [first] = unannotated;
  if (first) return `at line ${first.line}, ${first.why}`;
  if (/k-induction/.test(verdict.engine)) return 'the invariants are k-inductive';
  return quantified && !hasZ3 ? 'CBMC ignores quantifiers where z3 is not installed' : undefined;
}

/** With growing bounds, until nothing is behind the bound. */
async function unwound(
  cbmc: Cbmc,
  program: CbmcProgram,
  binary: string,
  least: number,
  left: () => number,
): Promise<CbmcAnswer> {
  let last: CbmcAnswer = { kind: 'none', why: 'it did not end in time' };
  for (const unwind of [least, ...limits.unwindings.filter((bound) => bound > least)]) {
    if (left() < 200) return last;
    const answer = await check(cbmc, program, binary, { unwind, complete: true, timeoutMs: left() });
    if (answer.kind === 'none') return last.kind === 'checked' ? last : answer;
    last = await oneByOne(answer.results, (name) =>
      check(cbmc, program, binary, { unwind, complete: true, timeoutMs: left(), only: [name] }),
    );
    if (!answer.results.some(({ subject, status }) => subject.kind === 'unwinding' && status === 'fails')) return last;
  }
  return last;
}

/** A solver that gives up on all properties together may answer single ones. */
async function oneByOne(
  results: readonly CbmcResult[],
  ask: (name: string) => Promise<CbmcAnswer>,
): Promise<CbmcAnswer> {
  const open = results.filter(({ status }) => status === 'unknown');
  if (open.length === 0 || open.length > limits.singleProperties) return { kind: 'checked', results };
  const answers = new Map<string, CbmcResult>();
  for (const { name } of open) {
    const answer = await ask(name);
    const found = answer.kind === 'checked' ? answer.results.find((result) => result.name === name) : undefined;
    if (found) answers.set(name, found);
  }
  return { kind: 'checked', results: results.map((result) => answers.get(result.name) ?? result) };
}
