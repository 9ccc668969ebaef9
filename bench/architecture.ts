/**
 * Figures of the code base: size, long lines, circles of imports, and which folder imports which.
 *
 *   node scripts/run-ts.js bench/architecture.ts [FOLDER] [--map]
 *
 * FOLDER is a checkout, by default this one. `--map` prints the table of imports of src/README.md.
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { folderImports, importsOf, sourceFiles, textOf, valueCircles } from './architecture/imports';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { map: { type: 'boolean', default: false } },
});
const root = resolve(positionals[0] ?? join(__dirname, '..'));

const quantile = (sorted: readonly number[], q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;

/** `median / 90 % / largest` */
function spread(numbers: readonly number[]): string {
  const sorted = [...numbers].sort((a, b) => a - b);
  return `${quantile(sorted, 0.5)} / ${quantile(sorted, 0.9)} / ${sorted.at(-1) ?? 0}`;
}

/** Lines of each function with a body. */
function functionLines(file: string): number[] {
  const source = ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest, true);
  const found: number[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const line = (at: number): number => source.getLineAndCharacterOfPosition(at).line;
      found.push(line(node.end) - line(node.getStart()) + 1);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const files = [...sourceFiles(join(root, 'src')), ...sourceFiles(join(root, 'plugin'))];
if (values.map) {
  for (const [folder, imported] of [...folderImports(join(root, 'src'))].sort(([a], [b]) => (a < b ? -1 : 1)))
    console.log(
      `| \`${folder}/\` | ${
        [...imported]
          .sort()
          .map((name) => `\`${name}\``)
          .join(', ') || 'nothing'
      } |`,
    );
} else {
  const texts = files.map(textOf);
  const comments = texts
    .flatMap((text) => [...text.matchAll(/^ *(?:\/\/|\/\*\*?|\* ) ?([A-Z][a-z]+)/gm)])
    .map(([, word]) => word!);
  const bad = comments.filter((word) => /^(What|Of|Where|Whether|How|Which|Who|Those)$/.test(word)).length;
  const circles = valueCircles(files);
  const rows: readonly (readonly [string, string | number])[] = [
    ['files', files.length],
    ['lines of a file: median / 90 % / largest', spread(texts.map((text) => text.split('\n').length))],
    ['functions', files.flatMap(functionLines).length],
    ['lines of a function: median / 90 % / largest', spread(files.flatMap(functionLines))],
    ['lines over 120 columns', texts.flatMap((text) => text.split('\n')).filter(({ length }) => length > 120).length],
    ['imports', files.reduce((sum, file) => sum + importsOf(file).length, 0)],
    ['circles of imports through values: groups of files', circles.length],
    ['files in them', circles.flat().length],
    ['comments that begin with What, Of, Where, Whether, How, …', `${((100 * bad) / comments.length).toFixed(1)} %`],
  ];
  console.log('| | |\n|---|---|');
  for (const [what, figure] of rows) console.log(`| ${what} | ${figure} |`);
  for (const circle of circles)
    console.log(`\ncircle: ${circle.map((file) => file.slice(root.length + 1)).join(', ')}`);
}
