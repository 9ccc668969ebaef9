import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { commandExists, gccRuns, onGcc, onMachine } from './machineAndGcc';
import { besidePeer } from '../peer';

const folder = join(__dirname, 'programs');
const programs = readdirSync(folder).filter((name) => name.endsWith('.c'));
const lp64 = commandExists('gcc');
const ilp32 = lp64 && gccRuns('-m32');
const besideGcc = besidePeer(lp64, 'gcc is not installed: the machine is NOT compared with a compiler');
const beside32Bits = besidePeer(
  ilp32,
  'gcc makes no programs of 32 bits that run here: the data model ilp32 is NOT compared with a compiler',
);

besideGcc.test.each(programs)('%s does what gcc makes of it, with every check in force', (name) => {
  const path = join(folder, name);
  const { output, end } = onMachine(path);
  expect({ output, end }).toEqual(onGcc(path));
});

const old = readdirSync(join(folder, 'gnu89'));
besideGcc.test.each(old)('%s does what gcc makes of older C', (name) => {
  const path = join(folder, 'gnu89', name);
  const { output, end } = onMachine(path, { standard: 'gnu89' });
  expect({ output, end }).toEqual(onGcc(path, ['-std=gnu89', '-Wno-error']));
});

beside32Bits.test.each(programs)('%s does what gcc -m32 makes of it', (name) => {
  const path = join(folder, name);
  const { output, end } = onMachine(path, { dataModel: 'ilp32' });
  expect({ output, end }).toEqual(onGcc(path, ['-m32', '-msse2', '-mfpmath=sse']));
});
