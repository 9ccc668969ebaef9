import { pathsThrough } from '../../../src/program/automata/pathCount';
import { programOf } from '../programOf';

test('paths of a segment are counted up to the next cutpoints', () => {
  const { functions } =
    programOf(`int f(int a) { int r = 0; if (a > 0) r = 1; if (a > 1) r = 2; if (a > 2) r = 3; return r; }
    int g(int n) { int i, s = 0; for (i = 0; i < n; i++) { if (i > 3) s = s + 1; else s = s + 2; } return s; }`);
  const counts = new Map(functions.map((fn) => [fn.name, pathsThrough(fn)]));
  expect(counts.get('f')).toBe(8);
  expect(counts.get('g')).toBe(3);
});
