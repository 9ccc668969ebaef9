#!/usr/bin/env node
/** The executable. A prover gets ready while this process loads, too, and reads the C. */
import { loadBundle } from '../bundle';
import { startProver } from '../prover/start';
import { Interrupts } from './terminal';

const interrupts = new Interrupts();
const proves = process.argv[2] === 'verify';
if (proves) interrupts.listen();
const prover = proves ? early() : undefined;
const {
  exports: { main },
  keep,
} = loadBundle<typeof import('./commandLine')>('commandLine');
// The next proof needs the code that V8 compiled for this one, too.
void main(interrupts, prover).then(() => {
  if (proves) keep();
});

function early(): ReturnType<typeof startProver> | undefined {
  try {
    return startProver();
  } catch {
    return undefined; // `prove` tries once more and says why not
  }
}
