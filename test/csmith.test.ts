/**
 * Random programs without undefined behaviour (csmith: Yang, Chen, Eide, Regehr, PLDI 2011) give the same checksum here and natively, and
 * no check fails. `PROVEST_CSMITH=200` runs that many; `bench/csmith.ts` runs thousands.
 */
import { commandExists } from './differential/machineAndGcc';
import { csmithHeaders, tryProgram } from './differential/csmith';

const count = Number(process.env.PROVEST_CSMITH ?? 20);
const available = commandExists('gcc') && commandExists('csmith') && csmithHeaders() !== undefined;
if (!available) console.warn('csmith or gcc is not installed: the machine is NOT compared on random programs');

(available ? test : test.skip)(`${count} random programs`, () => {
  const results = Array.from({ length: count }, (_, i) => tryProgram(i + 1));
  expect(results.filter(({ kind }) => kind === 'different')).toEqual([]);
  expect(results.filter(({ kind }) => kind === 'same').length).toBeGreaterThan(count / 2);
}, 10_000 * count);
