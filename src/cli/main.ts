#!/usr/bin/env node
/** The executable: hands the real world to `runCommandLine`. What only one command needs is loaded by that command. */
import { enableCompileCache } from '../compileCache';
import { endProver, prove, race, startProver } from '../prover';
import type { Backend } from './backend';
import { InputError } from './inputError';
import { Interrupts, processTerminal } from './terminal';

enableCompileCache();

/** A process that is still alive this long after its answer has a handle open by mistake. */
const lingerMs = 2000;

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const proves = args[0] === 'verify';
  const interrupts = new Interrupts();
  if (proves) interrupts.listen();
  // It loads what proofs need while this process reads the C.
  const prover = proves ? early() : undefined;
  const [{ engines }, { loadProgram }, { runCommandLine }, { packageVersion }] = await Promise.all([
    import('../engineNames.js'), import('../program/index.js'), import('./command.js'), import('./version.js'),
  ]);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode);
    throw error;
  });
  const backend: Backend = {
    version: packageVersion(), engines, loadProgram,
    // In a process of its own, so that Ctrl-C is heard whatever the proof is doing, and nothing of it stays.
    verify: (task, { progress, signal, memory, trace, alone }) => (alone ? prove : race)(task, { onProgress: progress, onTrace: trace, signal, memory, child: prover }),
    cover: async (task) => (await import('../engines/verify.js')).cover(task),
    // The one that writes tests for Jest's users, too.
    withTests: async (text, tests, path) => (await import('../../plugin/writeTests.js')).withTests(text, tests, path),
    testsOf: async (run, files, base) => {
      const [{ testsOf }, { BlobError }] = await Promise.all([import('../../plugin/testsOf.js'), import('../../plugin/runOutputs.js')]);
      try {
        return testsOf(run, files, base);
      } catch (error) {
        throw error instanceof BlobError ? new InputError(error.message) : error;
      }
    },
    merge: async (files, request) => {
      const [{ mergeRuns }, { BlobError }] = await Promise.all([import('../../plugin/mergeRuns.js'), import('../../plugin/runOutputs.js')]);
      return mergeRuns(files, request).catch((error: unknown) => { throw error instanceof BlobError ? new InputError(error.message) : error; });
    },
    // Its libraries take longer to load than everything else together.
    declarations: async (program) => (await import('../host/declarations.js')).declarations(program),
  };
  process.exitCode = await runCommandLine(args, processTerminal(interrupts), backend);
  if (prover) endProver(prover);
  setTimeout(() => process.exit(), lingerMs).unref();
}

function early(): ReturnType<typeof startProver> | undefined {
  try {
    return startProver();
  } catch {
    return undefined; // `prove` tries once more and says why not
  }
}

void main();
