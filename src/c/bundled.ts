/**
 * The texts that come with provest: standard headers, and the part of the C library that is written in
 * C, one function per file so that a program brings in only what it calls. They lie next to this
 * file, in `headers/` and `library/`, both in the sources and in the built package.
 */
import { join } from 'node:path';

// Not `import`: a test that mocks `fs` must not mock it for us.
const fs = process.getBuiltinModule('node:fs');

/** Written by `scripts/copy-assets.js`: the paths of a folder's files. */
const listed = 'list.json';

/** Functions whose unit is named after another one, with which they share state. */
const definedWith: ReadonlyMap<string, string> = new Map([
  ['srand', 'rand'],
  ['srandom', 'random'],
  ['__provest_run_exit_handlers', 'atexit'],
  ['quick_exit', 'at_quick_exit'],
  ['drand48', 'srand48'],
  ['lrand48', 'srand48'],
  ['mrand48', 'srand48'],
  ['optarg', '__provest_options'],
  ['optind', '__provest_options'],
  ['opterr', '__provest_options'],
  ['optopt', '__provest_options'],
  ...[
    'fabs',
    'copysign',
    'fmin',
    'fmax',
    'trunc',
    'floor',
    'ceil',
    'round',
    'frexp',
    'modf',
    'ilogb',
    'nan',
    'remquo',
    'lround',
    'llround',
    'lrint',
    'llrint',
    '__isnan',
    '__isinf',
    '__finite',
    '__signbit',
    '__fpclassify',
  ].flatMap(
    (name) =>
      [
        [`${name}f`, name],
        [`${name}l`, name],
      ] as const,
  ),
]);

const headers = once(() => assets('headers', '.h'));
const library = once(() => assets('library', '.c'));
/** `strlen` to `string/strlen.c`. */
const unitPaths = once(
  (): ReadonlyMap<string, string> =>
    new Map([...library().keys()].map((path) => [path.slice(path.lastIndexOf('/') + 1, -'.c'.length), path])),
);

/** Names as they stand between `<` and `>`, sorted. */
export function bundledHeaderNames(): readonly string[] {
  return [...headers().keys()];
}

/** A text that comes with provest. */
export const isBundled = (path: string): boolean => path.startsWith('<provest>/');

export function bundledHeader(name: string): string | undefined {
  return headers().get(name)?.();
}

/**
 * The translation unit that defines a function of the C library; undefined for functions that are native or unknown.
 */
export function libraryUnitFor(functionName: string): { path: string; text: string } | undefined {
  const path = unitPaths().get(definedWith.get(functionName) ?? functionName);
  return path === undefined ? undefined : { path: `<provest>/${path}`, text: library().get(path)!() };
}

/** The text of a bundled file by the path that `libraryUnitFor` or a span names. */
export function bundledText(path: string): string | undefined {
  if (!path.startsWith('<provest>/')) return undefined;
  const name = path.slice('<provest>/'.length);
  return (headers().get(name) ?? library().get(name))?.();
}

/** Paths below `directory` with `/`, sorted, each with a function that reads it once. */
function assets(directory: string, suffix: string): ReadonlyMap<string, () => string> {
  const root = join(__dirname, directory);
  // Not the user's fault: the package was built without `scripts/copy-assets.js`.
  if (!fs.existsSync(root)) throw new Error(`provest is installed without its folder ${root}`);
  const list = join(root, listed);
  // The build's list is one file to read, instead of some hundred.
  const found = fs.existsSync(list)
    ? (JSON.parse(fs.readFileSync(list, 'utf8')) as string[])
    : fs.readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'));
  return new Map(
    found
      .filter((path) => path.endsWith(suffix))
      .sort()
      .map((path) => [path, once(() => fs.readFileSync(join(root, path), 'utf8'))]),
  );
}

function once<T extends object | string>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
