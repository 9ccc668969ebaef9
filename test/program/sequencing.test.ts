import { CError } from '../../src/c';
import { programOf } from './programOf';

function conflicts(expression: string): string[] {
  try {
    programOf(
      `int a[9], g(int x), h(int x, int y), *p; int g(int x) { return x; } int h(int x, int y) { return x + y; }\nvoid f(int i, int j) { ${expression}; }`,
    );
    return [];
  } catch (error) {
    if (!(error instanceof CError)) throw error;
    return error.diagnostics.map(({ message }) => /'(\w+)' is changed and used/.exec(message)?.[1] ?? message);
  }
}
const check = (name: string, expected: readonly string[], expressions: readonly string[]): void => {
  describe(name, () => {
    test.each(expressions)('%s', (expression) => expect(conflicts(expression)).toEqual(expected));
  });
};

check(
  'undefined',
  ['i'],
  [
    'i = i++',
    'i = ++i + 1',
    'i++ + i++',
    'i + i++',
    'i++ * (i > 3)',
    'a[i] = i++',
    'a[i++] = i',
    'h(i, i++)',
    'h(i++, i++)',
    'g(i++) + i',
    'i += i++',
    'i += g(i++)',
    'i = j && i++',
    'i = j ? i++ : 0',
    '(i = 1) + (i = 2)',
    'j = (i++, 1) + i',
  ],
);
check(
  'sequenced',
  [],
  [
    'i++',
    'i = i + 1',
    'i += i',
    'i = j = 3',
    'i++, i++',
    'i = (i++, 5)',
    'i = i++ && j',
    'i++ || i++',
    'i++ ? i : i--',
    'i = g(i++)',
    'i = h(i + 1, j++)',
    '*p++ = j++',
    'a[i] = a[i] + 1',
    'i = sizeof(i++)',
    'i = g(j) + g(j)',
    'while (i-- > 0 && a[i]) j++',
  ],
);
