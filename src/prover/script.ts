/**
 * Place of the built proving process. From the sources (in our own tests), that is `dist`, which must be there and be
 * newer than they are.
 */
import { join } from 'node:path';
import { fs } from '../node';

export function proverScript(): string {
  const fromSource = __filename.endsWith('.ts');
  const root = join(__dirname, fromSource ? '../..' : '../../..');
  const script = join(root, 'dist', 'src', 'prover', 'child.js');
  if (!fs.existsSync(script)) throw new Error(`${script} is missing, and proofs run there: run "npm run build"`);
  if (fromSource) {
    const built = lastModified([join(root, 'dist', '.built'), join(root, 'dist', '.tsbuildinfo'), script]);
    const newer = [join(root, 'src'), join(root, 'plugin')]
      .map((folder) => newestIn(folder, built))
      .find((file) => file !== undefined);
    if (newer !== undefined) throw new Error(`dist is older than ${newer}, and proofs run there: run "npm run build"`);
  }
  return script;
}

function lastModified(files: readonly string[]): number {
  return Math.max(...files.map((file) => (fs.existsSync(file) ? fs.statSync(file).mtimeMs : 0)));
}

function newestIn(folder: string, than: number): string | undefined {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !/\.(ts|c|h)$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    if (fs.statSync(path).mtimeMs > than) return path;
  }
  return undefined;
}
