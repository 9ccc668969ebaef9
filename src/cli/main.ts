#!/usr/bin/env node
/** The executable: hands the real world to `runCommandLine`. */
import { cover, engines, loadProgram } from '../index';
import { prove } from '../prover';
import type { Backend } from './backend';
import { runCommandLine } from './command';
import { processTerminal } from './terminal';
import { packageVersion } from './version';

/** A process that is still alive this long after its answer has a handle open by mistake. */
const lingerMs = 2000;

async function main(): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode);
    throw error;
  });
  const backend: Backend = {
    version: packageVersion(), engines, loadProgram,
    // In a process of its own, so that Ctrl-C is heard whatever the proof is doing, and nothing of it stays.
    verify: (task, { progress, signal, memory }) => prove(task, { onProgress: progress, signal, memory }),
    cover,
    // The one that writes tests for Jest's users, too.
    withTests: async (text, tests, path) => (await import('../../plugin/writeTests.js')).withTests(text, tests, path),
    // Its libraries take longer to load than everything else together.
    declarations: async (program) => (await import('../host/declarations.js')).declarations(program),
  };
  process.exitCode = await runCommandLine(process.argv.slice(2), processTerminal(), backend);
  setTimeout(() => process.exit(), lingerMs).unref();
}

void main();
