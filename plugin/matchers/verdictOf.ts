/** Asks for the verdict on a module: what can be said without a proof is said here, the rest by the proving process. */
import { withAdvice } from '../../src/advice';
import type { Task } from '../../src/task';
import type { AngelicReport, Reason, Verdict } from '../../src/verdict';
import { memoryFolder } from '../../src/proofCache';
import { formatVerdict, hasNothingToCheck, sarifPart, verdictToJson, whateverTheyDo } from '../../src/report';
import { relative } from 'node:path';
import type { CModule } from '../session/cModule';
import { verdictWithoutProof, prove, type ProveOptions } from '../../src/prover';
import { directoryVariable, record, progressRecorder, reportVariable } from '../session/records';
import { reportRecord } from '../reporter/reportRecord';
import { throughQueue } from '../queue/throughQueue';
import { beforeTheTests } from '../runners/jest';
import { inPart, filteredText } from '../session/partialRun';
import { session } from '../session/session';
import type { VerifyOptions } from '../api/types';

/** Verdicts of this test file, with what the proof did: the same question about the same states is asked once. */
interface Answer {
  readonly verdict: Verdict;
  readonly course: readonly string[];
}
const known = new WeakMap<CModule, Map<string, Promise<Answer>>>();

export interface AskOptions extends ProveOptions {
  readonly adequacy?: boolean;
  /** True if the asking test passes; Jest shows the verdict only if not. */
  readonly passes?: (verdict: Verdict) => boolean;
}

export async function verdictOn(
  module: CModule,
  options: VerifyOptions = {},
  { adequacy = false, passes, ...proveOptions }: AskOptions = {},
): Promise<Verdict> {
  const explain = process.env[directoryVariable] !== undefined && process.env[reportVariable] !== undefined;
  const task: Task = {
    ...module.task(options, { adequacy }),
    furtherChecks: options.angelic ? 'while there is news' : 'briefly',
    ...(explain && { explain }),
  };
  module.asked = options;
  const refused = refusal(module, task, options);
  const answer: Answer = refused
    ? { verdict: refused, course: [] }
    : await proofOf(module, task, options, proveOptions);
  const verdict = inPart(
    refused ?? withCallsKnown(answer.verdict, module),
    session().filteredTests,
    adequacy || options.allowNoTests !== true,
  );
  const text = (checks: 'all' | 'open'): string =>
    formatVerdict(verdict, {
      color: false,
      subject: module.path,
      base: process.cwd(),
      allChecks: checks === 'all',
    });
  // The reporter knows its version.
  const context = { version: '', base: process.cwd(), files: module.files };
  record({
    kind: 'verdict',
    ...module.identity,
    verdict: verdict.kind,
    json: verdictToJson(verdict, 'module', context),
    sarif: sarifPart(verdict, context),
    summary: summaryOf(verdict),
    ...adequacyOf(verdict),
    seconds: verdict.statistics.seconds,
    obligations: verdict.statistics.obligations,
    cutpoints: verdict.statistics.cutpoints,
    ...bugTest(verdict, module),
    ...(verdict.angelic && { specifications: acceptable(verdict.angelic) }),
    ...failureOf(verdict),
    ...(verdict.statistics.reused !== undefined && {
      reused: verdict.statistics.reused,
      provedAnew: verdict.statistics.provedAnew ?? [],
    }),
    ...(explain && { report: reportRecord(verdict, module) }),
    // Shown with --verbose alone.
    ...(passes?.(verdict) && { text: text('all') }),
    ...(process.env[directoryVariable] !== undefined && { log: { course: answer.course, verdict: text('open') } }),
  });
  return verdict;
}

/** Why no proof is started. */
function refusal(module: CModule, task: Task, options: VerifyOptions): Verdict | undefined {
  const refuse = (reason: Reason) => verdictWithoutProof(task, reason, Date.now(), 'not-evaluated');
  const objection = module.objection();
  if (objection !== undefined) return refuse({ cause: 'not-run', message: objection });
  if (module.instance.calls > 0 || options.allowNoTests) return undefined;
  const { filteredTests } = session();
  if (filteredTests)
    return refuse({
      cause: 'not-run',
      message: `partial run: ${filteredText(filteredTests)}, and no other calls a function of ${module.name}`,
      suggestion: 'run the whole file, or ask with toBeVerified({ allowNoTests: true })',
    });
  if (beforeTheTests())
    return refuse({
      cause: 'not-run',
      message: 'it was asked for before any test had run',
      suggestion: "ask in a test: test('is verified', () => expect(…).toBeVerified())",
    });
  const inOrder = session().expect !== undefined;
  return refuse({
    cause: 'not-run',
    message: `no test called a function of ${module.name}`,
    suggestion:
      `write a test that calls ${module.instance.functionNames[0] ?? 'it'}` +
      `${inOrder ? ', above the one that asks (tests run in their order here)' : ''}, or ask with toBeVerified({ ` +
      'allowNoTests: true })',
  });
}

function proofOf(module: CModule, task: Task, options: VerifyOptions, proveOptions: ProveOptions): Promise<Answer> {
  const questions = known.get(module) ?? new Map<string, Promise<Answer>>();
  known.set(module, questions);
  const question = JSON.stringify(task);
  let answer = questions.get(question);
  if (!answer) {
    const abort = new AbortController();
    const progress = progressRecorder(module, task, () => abort.abort());
    answer = prove(task, {
      memory: memoryFolder(process.cwd(), options.cache),
      signal: abort.signal,
      ...throughQueue(),
      ...proveOptions,
      onProgress: (p) => {
        progress.update(p);
        proveOptions.onProgress?.(p);
      },
    })
      .then((verdict) => ({ verdict: requireObligations(verdict, task), course: progress.course }))
      .finally(() => progress.end());
    questions.set(question, answer);
  }
  return answer;
}

/** If the proof did not succeed, more states might have helped. */
function withCallsKnown(verdict: Verdict, module: CModule): Verdict {
  if (verdict.kind === 'proved' || verdict.kind === 'bug') return verdict;
  const { calls } = module.instance;
  return {
    ...verdict,
    remarks: [
      ...verdict.remarks,
      `the states of ${calls} call${calls === 1 ? '' : 's'} by tests of this file were known`,
    ],
  };
}

/** A second net under the engine: a proof of no obligation is one only if there is no check at all. */
function requireObligations(verdict: Verdict, task: Task): Verdict {
  if (verdict.kind !== 'proved' || verdict.statistics.obligations > 0 || hasNothingToCheck(verdict)) return verdict;
  return withAdvice(
    {
      ...verdict,
      kind: 'unknown',
      reason: { cause: 'vacuous', message: 'the proof had no obligations: nothing was checked' },
    },
    task,
  );
}

function summaryOf(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'proved': {
      const { obligations } = verdict.statistics;
      const what = hasNothingToCheck(verdict)
        ? 'nothing to check'
        : `${obligations} obligation${obligations === 1 ? '' : 's'}`;
      return (
        `${what}${verdict.suppressed ? `, ${verdict.suppressed.length} suppressed` : ''}` +
        `${whateverTheyDo(verdict.assumptions)}`
      );
    }
    case 'bug':
      return verdict.counterexample.failure.message;
    case 'potential-error':
      return verdict.errors[0]?.failure.message ?? verdict.reason.message;
    case 'conditional':
    case 'unknown':
    case 'not-evaluated':
      return `${verdict.reason.cause}: ${verdict.reason.message}`;
  }
}

function adequacyOf({ adequacy }: Verdict): { readonly covered?: number; readonly total?: number } {
  return adequacy ? { covered: adequacy.covered, total: adequacy.total } : {};
}

/** Code a reporter may write into the test file. */
function bugTest(
  verdict: Verdict,
  module: CModule,
): { readonly tests?: readonly string[]; readonly probe?: string; readonly variable?: string } {
  const { variable } = module;
  if (variable === undefined) return {};
  if (verdict.kind === 'bug') {
    const tests = [verdict.counterexample, ...(verdict.further ?? [])]
      .map(({ test }) => test)
      .filter((test) => test !== '');
    return tests.length === 0 ? { variable } : { tests, variable };
  }
  const probe =
    verdict.kind === 'potential-error'
      ? verdict.errors.find(({ suggestion }) => suggestion?.startsWith(`${variable}.probe(`))?.suggestion
      : undefined;
  return probe === undefined ? { variable } : { probe, variable };
}

/** Options that a reporter may write into `loadC`; what the C alone can state has none. */
const acceptable = ({ specifications }: AngelicReport): readonly string[] =>
  specifications.flatMap(({ code }) => (code === '' ? [] : [code]));

function failureOf(verdict: Verdict): { readonly at?: { readonly file: string; readonly line: number } } {
  const place =
    verdict.kind === 'bug'
      ? (verdict.counterexample.failure.caller?.place ?? verdict.counterexample.failure.place)
      : verdict.kind === 'potential-error'
        ? verdict.errors[0]?.failure.place
        : 'reason' in verdict
          ? verdict.reason.place
          : undefined;
  return place ? { at: { file: relative(process.cwd(), place.file), line: place.line } } : {};
}
