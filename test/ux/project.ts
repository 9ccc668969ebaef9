/**
 * A user's project in a folder of its own, with the built package linked in as an install would; and Jest run on it.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { builtPackage, commandFile, root } from './builtPackage';

export { root };

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}
export interface RunOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export class Project {
  readonly folder = mkdtempSync(join(tmpdir(), 'provest-user-'));

  constructor(files: Readonly<Record<string, string>>, config: object = {}) {
    mkdirSync(join(this.folder, 'node_modules'));
    symlinkSync(builtPackage, join(this.folder, 'node_modules', 'provest'), 'dir');
    this.write('package.json', '{"name":"user"}');
    this.write(
      'jest.config.js',
      `module.exports = ${JSON.stringify({
        preset: 'provest',
        transform: {},
        cacheDirectory: join(tmpdir(), 'provest-jest-cache'),
        ...config,
      })};`,
    );
    for (const [name, text] of Object.entries(files)) this.write(name, text);
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.folder, name)), { recursive: true });
    writeFileSync(join(this.folder, name), text);
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  has(name: string): boolean {
    return existsSync(join(this.folder, name));
  }

  jest({ args = [], env = {} }: RunOptions = {}): Ran {
    return this.node([join(root, 'node_modules', 'jest', 'bin', 'jest.js'), ...args], env);
  }

  provest(...args: readonly string[]): Ran {
    return this.node([commandFile, ...args], {});
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private node(args: readonly string[], env: Readonly<Record<string, string>>): Ran {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: this.folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    });
    return { status, stdout, stderr };
  }
}
