import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { commandExists, onGcc, onMachine } from './machineAndGcc';

const folder = join(__dirname, 'programs');
const programs = readdirSync(folder).filter((name) => name.endsWith('.c'));
const gcc = commandExists('gcc');
if (!gcc) console.warn('gcc is not installed: the machine is NOT compared with a compiler');

(gcc ? test : test.skip).each(programs)('%s does what gcc makes of it, with every check in force', (name) => {
  const path = join(folder, name);
  const { output, end } = onMachine(path);
  expect({ output, end }).toEqual(onGcc(path));
});
