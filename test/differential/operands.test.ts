/**
 * Random programs around evaluated operands, variable arguments and side effects do here what gcc makes of them, and
 * nothing undefined. `bench/operands.ts` runs hundreds.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomOperands } from '../../bench/conformance/randomOperands';
import { commandExists, onGcc, onMachine } from './machineAndGcc';
import { besidePeer } from '../peer';

const besideGcc = besidePeer(
  commandExists('gcc'),
  'gcc is not installed: the machine is NOT compared on random operands',
);

besideGcc.test.each([1, 2, 3])('seed %d', (seed) => {
  const folder = mkdtempSync(join(tmpdir(), 'provest-operands-'));
  try {
    const path = join(folder, 'program.c');
    writeFileSync(path, randomOperands(seed));
    const { output, end } = onMachine(path);
    expect({ output, end }).toEqual(onGcc(path));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
