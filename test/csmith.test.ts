/**
 * Random programs without undefined behaviour (csmith: Yang, Chen, Eide, Regehr, PLDI 2011) give the same checksum here
 * and natively, and no check fails. Where their arithmetic is not guarded, a check fails exactly when a sanitizer
 * complains. `PROVEST_CSMITH=200` runs that many; `bench/csmith.ts` runs thousands.
 */
import { commandExists } from './differential/machineAndGcc';
import { csmithHeaders, tryProgram, type Mode } from './differential/csmith';

const count = Number(process.env.PROVEST_CSMITH ?? 6);
const available = commandExists('gcc') && commandExists('csmith') && csmithHeaders() !== undefined;
if (!available) console.warn('csmith or gcc is not installed: the machine is NOT compared on random programs');

(available ? test.each : test.skip.each)<[number, Mode]>([
  [count, 'lp64'],
  [Math.min(20, Math.ceil(count / 2)), 'unsafe'],
])(
  '%p random programs (%s)',
  (programs, mode) => {
    const results = Array.from({ length: programs }, (_, i) =>
      tryProgram((mode === 'lp64' ? 1000 : 1) + i, mode, 'small'),
    );
    expect(results.filter(({ kind }) => kind === 'different')).toEqual([]);
    expect(results.filter(({ kind }) => kind === 'same').length).toBeGreaterThan(programs / 3);
  },
  20_000 * count,
);
