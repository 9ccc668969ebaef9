/** The command with the real world in its hands. What only one command needs is loaded by that command. */
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { loadBundle } from '../bundle';
import { CError } from '../c/diagnostics/diagnostic';
import { engineNames } from '../engines/registry';
import { declaredFunctions, loadInterface, loadProgram } from '../program';
import { endProver, prove, race } from '../prover';
import type { Backend } from './backend';
import { runCommandLine } from './command';
import { InputError } from './inputError';
import { processTerminal, type Interrupts } from './terminal';
import { packageVersion } from './version';

/** A process that is still alive this long after its answer has a handle open by mistake. */
const lingerMs = 2000;

/** `prover`: started before this was loaded, for a command that proves; `interrupts` has listened since. */
export async function main(interrupts: Interrupts, prover: ChildProcess | undefined): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode);
    throw error;
  });
  let ready = prover;
  const readyProver = (): ChildProcess | undefined => {
    const child = ready;
    ready = undefined;
    return child;
  };
  const backend: Backend = {
    version: packageVersion(),
    engines: engineNames,
    loadProgram,
    loadInterface,
    declaredFunctions,
    // In a process of its own, so that Ctrl-C is heard whatever the proof is doing, and nothing of it stays.
    verify: (task, { progress, signal, memory, trace, alone }) =>
      (alone ? prove : race)(task, { onProgress: progress, onTrace: trace, signal, memory, child: readyProver() }),
    queue: (url, from) =>
      queueing(async () => {
        const { QueueClient, queueLibrary } = await import('../queue/index.js');
        const client = await QueueClient.connect(queueLibrary(from), url, packageVersion());
        return {
          verify: (task, { progress, signal, alone = false }) => client.verify(task, { progress, signal, alone }),
          absence: () => client.absence(),
          close: () => client.close(),
        };
      }),
    work: ({ from, ...options }) =>
      queueing(async () => {
        const { queueLibrary, runWorker } = await import('../queue/index.js');
        await runWorker(queueLibrary(from), {
          ...options,
          version: packageVersion(),
          verify: (task, { alone, progress, signal, memory }) =>
            (alone ? prove : race)(task, { onProgress: progress, signal, memory }),
        });
      }),
    cover: async (task) => {
      const { exports: theirs } = loadBundle<typeof import('../prover/engines')>('engines');
      // Another bundle has classes of its own.
      return theirs.cover(task).catch((error: unknown) => {
        throw error instanceof theirs.CError ? new CError(error.diagnostics) : error;
      });
    },
    slice: async (request) => {
      const { exports: theirs } = loadBundle<typeof import('../prover/engines')>('engines');
      try {
        return theirs.sliceFile(request);
      } catch (error) {
        if (error instanceof theirs.NoCriterion) return { linesWithChecks: error.lines };
        throw error instanceof theirs.CError ? new CError(error.diagnostics) : error;
      }
    },
    // The one that writes tests for Jest's users, too.
    withTests: async (text, tests, path) =>
      (await import('../../plugin/reporter/writeTests.js')).withTests(text, tests, path),
    testsOf: async (run, files, base) => {
      const [{ testsOf }, { BlobError }] = await Promise.all([
        import('../../plugin/reporter/testsOf.js'),
        import('../../plugin/reporter/runOutputs.js'),
      ]);
      try {
        return testsOf(run, files, base);
      } catch (error) {
        throw error instanceof BlobError ? new InputError(error.message) : error;
      }
    },
    merge: async (files, request) => {
      const [{ mergeRuns }, { BlobError }] = await Promise.all([
        import('../../plugin/reporter/mergeRuns.js'),
        import('../../plugin/reporter/runOutputs.js'),
      ]);
      return mergeRuns(files, request).catch((error: unknown) => {
        throw error instanceof BlobError ? new InputError(error.message) : error;
      });
    },
    serveEditor: async () => {
      const [{ serve }, tests, { withOption }, { moduleVariable }] = await Promise.all([
        import('../editor/index.js'),
        import('../../plugin/reporter/writeTests.js'),
        import('../../plugin/reporter/writeOptions.js'),
        import('../host/printing/moduleVariable.js'),
      ]);
      await serve({
        version: packageVersion(),
        command: join(__dirname, 'main.js'),
        moduleVariable,
        withTest: (text, test, { path, variable, named }) =>
          tests.withTests(text, [{ file: path, variable, test: tests.withVariable(test, named, variable) }], path).text,
        withProbe: (text, probe, { path, variable }) =>
          tests.withProbes(text, [{ file: path, variable, probe }], path).text,
        withOption: (text, code, { path, variable }) => withOption(text, variable, code, path),
      });
    },
    // Its libraries take longer to load than everything else together.
    declarations: async (program) => (await import('../host/declarations.js')).declarations(program),
  };
  process.exitCode = await runCommandLine(process.argv.slice(2), processTerminal(interrupts), backend);
  if (prover) endProver(prover);
  setTimeout(() => process.exit(), lingerMs).unref();
}

/** Reports a queue's errors that the user can mend as the user's. */
async function queueing<T>(action: () => Promise<T>): Promise<T> {
  const { QueueError } = await import('../queue/index.js');
  return action().catch((error: unknown) => {
    throw error instanceof QueueError ? new InputError(error.message, error.suggestion) : error;
  });
}
