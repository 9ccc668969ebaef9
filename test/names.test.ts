/** One type name, one meaning: no two files of `src` and `plugin` export a type, interface, class or enum alike. */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { sourceFiles } from '../bench/architecture/imports';

const root = join(__dirname, '..');

type Declaration = ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.ClassDeclaration | ts.EnumDeclaration;

const isTypeDeclaration = (node: ts.Node): node is Declaration =>
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isClassDeclaration(node) ||
  ts.isEnumDeclaration(node);

/** Types that the file declares and exports, under the names it exports them by. What it passes on is not declared. */
function exportedTypes(path: string, text: string): ReadonlySet<string> {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const declared = new Set<string>();
  const exported = new Set<string>();
  for (const statement of file.statements) {
    if (!isTypeDeclaration(statement) || !statement.name) continue;
    declared.add(statement.name.text);
    if (statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
      exported.add(statement.name.text);
  }
  for (const statement of file.statements) {
    if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier || !statement.exportClause) continue;
    if (!ts.isNamedExports(statement.exportClause)) continue;
    for (const { name, propertyName } of statement.exportClause.elements)
      if (declared.has((propertyName ?? name).text)) exported.add(name.text);
  }
  return exported;
}

/** Names that several files export, with the files. */
function sharedNames(files: ReadonlyMap<string, string>): Record<string, string[]> {
  const exporters = new Map<string, string[]>();
  for (const [path, text] of files)
    for (const name of exportedTypes(path, text)) exporters.set(name, [...(exporters.get(name) ?? []), path]);
  return Object.fromEntries([...exporters].filter(([, paths]) => paths.length > 1));
}

test('exported types have different names', () => {
  const paths = ['src', 'plugin'].flatMap((folder) => [...sourceFiles(join(root, folder))]);
  expect(paths.length).toBeGreaterThan(500);
  expect(sharedNames(new Map(paths.map((path) => [relative(root, path), readFileSync(path, 'utf8')])))).toEqual({});
});

test('two files that declare and export one name are found, whatever kind of type it is', () => {
  const files = new Map([
    ['a.ts', 'export interface Place { a: 1 }\nexport abstract class Node {}\nenum Kind { a }\nexport { Kind };'],
    ['b.ts', 'export type Place = 1;\nclass Node {}\nexport { type Node };\nexport enum Kind { b }'],
  ]);
  expect(sharedNames(files)).toEqual({
    Place: ['a.ts', 'b.ts'],
    Node: ['a.ts', 'b.ts'],
    Kind: ['a.ts', 'b.ts'],
  });
});

test('local types, names in comments and strings, and types that a file passes on are no second declaration', () => {
  const files = new Map([
    ['a.ts', 'export interface Place { a: 1 }'],
    ['b.ts', "interface Place { b: 1 }\n// export type Place = 2;\nconst text = 'export type Place = 3;';"],
    ['c.ts', "export { type Place } from './a';"],
    ['d.ts', "import type { Place } from './a';\nexport type { Place };\nexport const Placed = 1;"],
  ]);
  expect(sharedNames(files)).toEqual({});
});
