/** The library against the C library of the machine, on random formats and inputs, with every check in force. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { otherProgram, parsingProgram, printfProgram, scanfProgram, stringProgram } from './libraryPrograms';
import { commandExists, onGcc, onMachine } from './machineAndGcc';
import { isLong } from '../long';
import { besidePeer } from '../peer';

const besideGcc = besidePeer(commandExists('gcc'), 'gcc is not installed: the C library is NOT compared with another');
const seed = Number(process.env['PROVEST_SEED']);

besideGcc.test.each([
  ['printf', printfProgram, 2000],
  ['numbers from text', parsingProgram, 1500],
  ['scanf', scanfProgram, 1200],
  ['strings', stringProgram, 1500],
  ['exact mathematics, time, random numbers', otherProgram, 800],
] as const)(
  '%s',
  (_, make, count) => {
    const folder = mkdtempSync(join(tmpdir(), 'provest-library-'));
    try {
      const path = join(folder, 'program.c');
      const text = make(seed, isLong ? count : Math.ceil(count / 4));
      writeFileSync(path, text);
      const native = onGcc(path, ['-fno-builtin']);
      const ours = onMachine(path);
      const [expected, actual] = [native?.output.split('\n') ?? [], ours.output.split('\n')];
      const differing = expected.flatMap((line, i) =>
        line === actual[i] ? [] : [`line ${i}: ${JSON.stringify(actual[i])}, gcc ${JSON.stringify(line)}`],
      );
      expect({ differing: differing.slice(0, 10), end: ours.end }).toEqual({ differing: [], end: native?.end });
      expect(actual.length).toBe(expected.length);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  120_000,
);
