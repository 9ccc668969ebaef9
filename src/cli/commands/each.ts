/**
 * `provest verify … --each`: every file is a module or program of its own. So many of them as there are jobs are proved
 * at a time, each in a process of its own.
 */
import { CError } from '../../c/diagnostics/diagnostic';
import { os } from '../../node';
import type { Backend } from '../backend';
import { exitCode, type ExitCode } from '../exitCode';
import { filesMatching } from '../filePatterns';
import { InputError } from '../inputError';
import { ProverFailure } from '../proverFailure';
import type { Terminal } from '../terminal';
import { parseJobs } from '../options';
import { verifyFiles, type VerifyFlags } from './verify';

/** Each names one file, which several proofs would write over each other. */
const ofOneProof = ['html', 'sarif', 'proofLcov', 'witness', 'harness', 'annotated'] as const;

const worstFirst = [exitCode.internal, exitCode.badInput, exitCode.bug, exitCode.undecided, exitCode.proved] as const;

/** Throws `InputError` where an option that names one file would be written for several. */
export function filesForThemselves(
  patterns: readonly string[],
  flags: Omit<VerifyFlags, 'queue'>,
  cwd: string,
): readonly string[] {
  const files = filesMatching(patterns, cwd);
  if (files.length === 0) throw new InputError(`no file matches ${patterns.join(', ')}`);
  const single = ofOneProof.find((name) => flags[name] !== undefined);
  if (files.length > 1 && single !== undefined)
    throw new InputError(
      `--${single === 'proofLcov' ? 'proof-lcov' : single} is for one proof, and there are ${files.length} files`,
      'leave it out, or name one file',
    );
  return files;
}

/** Proves at most so many files at a time, in their order. The exit code is the worst of all. */
export async function verifyAll(
  files: readonly string[],
  flags: VerifyFlags,
  { jobs, terminal, backend }: { readonly jobs: number; readonly terminal: Terminal; readonly backend: Backend },
): Promise<ExitCode> {
  const codes: ExitCode[] = [];
  const left = files[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (let next = left.next(); !next.done; next = left.next())
      codes.push(await one(next.value, flags, terminal, backend));
  };
  await Promise.all(Array.from({ length: Math.min(jobs, files.length) }, work));
  return worstFirst.find((code) => codes.includes(code))!;
}

export async function verifyEach(
  patterns: readonly string[],
  flags: VerifyFlags,
  terminal: Terminal,
  backend: Backend,
): Promise<ExitCode> {
  const files = filesForThemselves(patterns, flags, terminal.cwd);
  const jobs = flags.jobs === undefined ? idleCores() : parseJobs(flags.jobs);
  const controller = new AbortController();
  const stopListening = terminal.onInterrupt(() => controller.abort());
  try {
    // Without a rival: a race depends on idle cores, and the verdict must not depend on the number of jobs.
    const alone: Backend = {
      ...backend,
      verify: (task, options) => backend.verify(task, { ...options, signal: controller.signal, alone: true }),
    };
    return await verifyAll(files, flags, { jobs, terminal, backend: alone });
  } finally {
    stopListening();
  }
}

/** Cores that did nothing in the last minute, and at least one. */
function idleCores(): number {
  const [busy = 0] = os.loadavg();
  return Math.max(1, Math.floor(os.availableParallelism() - busy + 0.5));
}

/** Proves one file; its output comes at once, when it is complete. */
async function one(file: string, flags: VerifyFlags, terminal: Terminal, backend: Backend): Promise<ExitCode> {
  let out = '';
  let err = '';
  const own: Terminal = {
    ...terminal,
    errIsTerminal: false,
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    onInterrupt: () => () => {},
  };
  let code: ExitCode;
  try {
    code = await verifyFiles([file], flags, own, backend);
  } catch (error) {
    if (!(error instanceof CError || error instanceof InputError || error instanceof ProverFailure)) throw error;
    err += `${file}: ${error.message}\n`;
    code = error instanceof ProverFailure ? exitCode.internal : exitCode.badInput;
  }
  if (err !== '') terminal.err(err);
  if (out !== '') terminal.out(out);
  return code;
}
