/** The test file that a generated test, a probe or an accepted specification goes into. */
import { basename, dirname, join, relative, sep } from 'node:path';
import { moduleVariable } from '../host/printing/moduleVariable';
import { fs } from '../node';
import { projectFolder } from '../report';
import type { ModuleResult } from './moduleResult';

export interface TestTarget {
  readonly path: string;
  /** Holds the module. */
  readonly variable: string;
  /** Undefined: the file has to be made, from `head`. */
  readonly text: string | undefined;
  readonly head: string;
}

const endings = ['.test.js', '.test.ts', '.test.mjs', '.test.mts', '.test.cjs', '.test.cts', '.spec.js', '.spec.ts'];
const folders = ['.', 'test', 'tests', '__tests__', '../test', '../tests'];

/**
 * The file whose tests gave a result, else one beside the C that loads it, else a new one. `textOf`: a file as the
 * editor has it.
 */
export function testTarget(
  file: string,
  results: readonly ModuleResult[],
  textOf: (file: string) => string | undefined,
): TestTarget {
  for (const { test } of results) {
    const text = test && textOf(test.file);
    if (text !== undefined && test?.variable !== undefined)
      return { path: test.file, variable: test.variable, text, head: '' };
  }
  const name = basename(file, '.c');
  for (const folder of folders)
    for (const ending of endings) {
      const path = join(dirname(file), folder, `${name}${ending}`);
      const text = textOf(path);
      const variable = text === undefined ? undefined : variableOf(text, basename(file));
      if (text !== undefined && variable !== undefined) return { path, variable, text, head: '' };
    }
  const { ending, head } = styleOf(file);
  const free = ['', '.bug', '.bug2', '.bug3'].map((more) => join(dirname(file), `${name}${more}${ending}`));
  const path = free.find((one) => textOf(one) === undefined) ?? free.at(-1)!;
  const variable = moduleVariable([file]);
  const from = relative(dirname(path), file).split(sep).join('/');
  return { path, variable, text: undefined, head: `${head}\nconst ${variable} = loadC('./${from}');\n` };
}

/** Test files beside the C, for a project whose tests have not run yet. */
export function testsBeside(file: string): readonly string[] {
  const name = basename(file, '.c');
  return folders
    .flatMap((folder) => endings.map((ending) => join(dirname(file), folder, `${name}${ending}`)))
    .filter((path) => {
      const text = contents(path);
      return text !== undefined && variableOf(text, basename(file)) !== undefined && /toBeVerified/.test(text);
    });
}

function variableOf(text: string, cFile: string): string | undefined {
  for (const [, variable, path] of text.matchAll(
    /\b(?:const|let|var)\s+([\p{ID_Continue}$]+)\s*(?::[^=]+)?=\s*loadC(?:<[^(]*>)?\(\s*['"`]([^'"`]*)['"`]/gu,
  ))
    if (path!.split('/').at(-1) === cFile) return variable;
  return undefined;
}

/** The style of a project's tests, as far as its `package.json` says it. */
function styleOf(file: string): { readonly ending: string; readonly head: string } {
  const root = projectFolder(dirname(file));
  const manifest = root === undefined ? {} : manifestOf(join(root, 'package.json'));
  const modules = { ...manifest.dependencies, ...manifest.devDependencies };
  if ('vitest' in modules && !('jest' in modules))
    return { ending: '.test.mjs', head: "import { expect, test } from 'vitest';\nimport { loadC } from 'provest';\n" };
  if (root !== undefined && fs.existsSync(join(root, 'tsconfig.json')))
    return { ending: '.test.ts', head: "import { loadC } from 'provest';\n" };
  return { ending: '.test.js', head: "const { loadC } = require('provest');\n" };
}

interface EditorManifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

function manifestOf(path: string): EditorManifest {
  try {
    return JSON.parse(fs.readFileSync(path, 'utf8')) as EditorManifest;
  } catch {
    return {}; // its owner is told by the tools that need it
  }
}

export function contents(path: string): string | undefined {
  try {
    return fs.readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
