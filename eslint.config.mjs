/**
 * Lint rules: the recommended ones, the few that matter for soundness (every promise awaited, every union matched), and
 * the direction of the dependencies between the folders of src.
 */
import js from '@eslint/js';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** Each folder of src and the folders it knows nothing about. Paths are relative, so a folder is met as `../folder`. */
const knowsNothingOf = {
  c: ['program', 'semantics', 'logic', 'solver', 'host', 'abstraction', 'engines', 'evidence', 'report', 'cli'],
  program: ['semantics', 'logic', 'solver', 'host', 'abstraction', 'engines', 'evidence', 'report', 'cli'],
  semantics: ['solver', 'host', 'abstraction', 'engines', 'evidence', 'report', 'cli'],
  logic: ['c', 'program', 'semantics', 'solver', 'host', 'abstraction', 'engines', 'evidence', 'report', 'cli'],
  solver: ['c', 'program', 'semantics', 'host', 'abstraction', 'engines', 'evidence', 'report', 'cli'],
  host: ['solver', 'engines', 'evidence', 'report', 'cli'],
  abstraction: ['engines', 'evidence', 'report', 'cli'],
  engines: ['report', 'cli'],
  evidence: ['report', 'cli'],
  proofCache: ['solver', 'engines', 'report', 'cli'],
  prover: ['report', 'cli'],
  queue: ['report', 'cli'],
  report: ['semantics', 'logic', 'solver', 'host', 'engines', 'evidence', 'cli', 'queue'],
};

const layers = Object.entries(knowsNothingOf).map(([folder, others]) => ({
  files: [`src/${folder}/**/*.ts`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            regex: `^(\\.\\./)+(${others.join('|')})(/|$)`,
            message: `src/${folder} knows nothing of ${others.join(', ')}.`,
          },
          { regex: '^(\\.\\./)+plugin(/|$)', message: 'src knows nothing of the plugin.' },
          ...(folder === 'solver'
            ? []
            : [{ regex: '^z3-solver', message: 'The solver layer is the only door to Z3.' }]),
        ],
      },
    ],
  },
}));

export default defineConfig(
  {
    ignores: [
      'dist/',
      'node_modules/',
      'coverage/',
      '.provest/',
      '**/*.d.ts',
      'src/report/json/verdictJson.ts',
      'src/report/json/runJson.ts',
      'src/report/json/checkJson.ts',
      'src/report/json/opinionJson.ts',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommended],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/consistent-type-imports': [
        'error',
        { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      /** `x!` states what the types cannot; indexing arrays needs it. */
      '@typescript-eslint/no-non-null-assertion': 'off',
      /** Linked structures are walked from `this`. */
      '@typescript-eslint/no-this-alias': 'off',
      eqeqeq: 'error',
    },
  },
  ...layers,
  {
    /** The formatter does not break strings, patterns and comments; a web address cannot be broken. */
    files: ['{src,plugin,bench,scripts,editors,test}/**/*.{ts,js}', '*.{ts,js,mjs}'],
    rules: { 'max-len': ['error', { code: 120, ignoreUrls: true }] },
  },
  {
    /** Escape codes and zero bytes are what these look for. */
    files: ['test/**/*.ts', 'src/c/**/*.ts'],
    rules: { 'no-control-regex': 'off' },
  },
  {
    /** The one place that knows how Jest hands out its globals. */
    files: ['plugin/runners/jest.ts'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  {
    /** The matchers' types reach a test file through the package's declarations. */
    files: ['plugin/index.ts'],
    rules: { '@typescript-eslint/triple-slash-reference': 'off' },
  },
  {
    /** Runs in a browser. */
    files: ['src/report/html/page.js', 'src/report/html/heapPicture.js', 'src/report/html/pasteable.js'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'document',
          'navigator',
          'addEventListener',
          'getSelection',
          'matchMedia',
          'DOMParser',
          'NodeFilter',
          'pasteableOf',
          'searchTreeOf',
          'heapPictureOf',
          'failuresOf',
          'deadUnder',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    /** They declare what another script of the page calls. */
    files: ['searchTree', 'heapPicture', 'failures', 'pasteable'].map((name) => `src/report/html/${name}.js`),
    rules: { 'no-unused-vars': 'off', '@typescript-eslint/no-unused-vars': 'off' },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: {
      globals: Object.fromEntries(
        [
          'console',
          'process',
          'require',
          'module',
          '__dirname',
          '__filename',
          'Buffer',
          'performance',
          'setTimeout',
          'clearTimeout',
          'setInterval',
          'clearInterval',
          'setImmediate',
          'URL',
          'TextEncoder',
          'TextDecoder',
          'AbortController',
          'AbortSignal',
          'fetch',
          'test',
          'expect',
          'describe',
          'beforeAll',
          'beforeEach',
          'afterAll',
          'afterEach',
          'jest',
        ].map((name) => [name, 'writable']),
      ),
    },
  },
);
