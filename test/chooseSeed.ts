/**
 * Once per run, before the workers start: the seed of all properties. PROVEST_SEED is a number, or `random` for a new
 * one; it is printed, to run the same again.
 */
const usual = 20060717;

export default function chooseSeed(): void {
  const asked = process.env['PROVEST_SEED'] ?? String(usual);
  const seed = asked === 'random' ? Date.now() % 2 ** 31 : Number(asked);
  if (!Number.isInteger(seed)) throw new Error(`PROVEST_SEED is a whole number or 'random', not '${asked}'`);
  process.env['PROVEST_SEED'] = String(seed);
  // What one run proved is nothing to the tests of another.
  process.env['PROVEST_CACHE'] ??= 'off';
  process.stderr.write(`properties: PROVEST_SEED=${seed}\n`);
}
