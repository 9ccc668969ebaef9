/** R15 and R4: `provest types` gives the module its type; where a C field is renamed, TypeScript finds what still uses the old name. */
import { join } from 'node:path';
import ts from 'typescript';
import { Project } from './project';

let user: Project;
beforeAll(() => { user = new Project({}); });
afterAll(() => user.remove());

const c = 'struct pair { int left; int right; };\nstatic struct pair last;\nstatic int size;\nint put(int left) {\n  last.left = left;\n  if (size < 100) size++;\n  return last.left;\n}\n';

/** Messages of the compiler on this test, beside the declarations of this C. */
function check(text: string, test: string): string[] {
  user.write('pairs.c', text);
  user.write('pairs.d.ts', user.provest('types', 'pairs.c').stdout);
  user.write('use.ts', test);
  const [declared, used] = ['pairs.d.ts', 'use.ts'].map((name) => join(user.folder, name)) as [string, string];
  const program = ts.createProgram([declared, used], {
    noEmit: true, strict: true, skipLibCheck: true, types: [], module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16, target: ts.ScriptTarget.ES2022,
  });
  return program.getSemanticDiagnostics(program.getSourceFile(used)).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

const use = "import { loadC } from 'provest';\nconst pairs = loadC('./pairs.c');\npairs.put(1);\nexport const n: number = pairs.global.last.left + pairs.global.size;\npairs.probe('small', (s) => s.last.left < 10);\n";

test('R15 a renamed field is an error in the test and in the probe; what is right is none', () => {
  expect(check(c, use)).toEqual([]);
  const renamed = check(c.replace(/\bint left; /, 'int first; ').replace(/last\.left/g, 'last.first'), use);
  expect(renamed).toHaveLength(2);
  for (const message of renamed) expect(message).toContain("Property 'left' does not exist");
  expect(check(c, use.replace('pairs.put(1)', "pairs.put('x', 2)"))).toHaveLength(1);
});
