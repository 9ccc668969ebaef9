/**
 * Environment that a test gives a module: files, standard input, environment variables. Plain data, so that a proof's
 * process can meet the same. Files of the host below a granted folder are fetched once, when they are first named, and
 * are from then on part of it.
 */
import { isAbsolute, join, relative, sep } from 'node:path';
import type { EnvironmentOptions, HostFiles } from '../semantics';
import { fromHex, toHex } from './values/scalar';
import { TextEncoder } from '../textCoding';

// Not `import`: a test that mocks `fs` must not mock it for us.
const fs = process.getBuiltinModule('node:fs');

/** Contents are hexadecimal. */
export interface HostEnvironment {
  readonly files?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly variables?: Readonly<Record<string, string>>;
}

export interface HostEnvironmentOptions {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly stdin?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
}

export function hostEnvironmentOf({ files, stdin, env }: HostEnvironmentOptions): HostEnvironment {
  const hex = (content: string | Uint8Array): string =>
    toHex(typeof content === 'string' ? new TextEncoder().encode(content) : content);
  return {
    ...(files && { files: Object.fromEntries(Object.entries(files).map(([path, content]) => [path, hex(content)])) }),
    ...(stdin !== undefined && { stdin: hex(stdin) }),
    ...(env && { variables: env }),
  };
}

export function environmentOf({ files = {}, stdin, variables }: HostEnvironment, host?: HostFiles): EnvironmentOptions {
  return {
    files: Object.fromEntries(Object.entries(files).map(([path, content]) => [path, fromHex(content)])),
    ...(stdin !== undefined && { stdin: fromHex(stdin) }),
    ...(variables && { variables }),
    ...(host && { host }),
  };
}

/** The files below a folder. Names that lead out of it are of no file. `fetched` is told of each content once. */
export function filesBelow(folder: string, fetched?: (path: string, content: Uint8Array) => void): HostFiles {
  const known = new Map<string, Uint8Array | undefined>();
  const place = (path: string): string | undefined => {
    const full = isAbsolute(path) ? path : join(folder, path);
    const inside = relative(folder, full);
    return inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? undefined : full;
  };
  return {
    read: (path) => {
      if (!known.has(path)) {
        const full = place(path);
        const stats = full === undefined ? undefined : fs.statSync(full, { throwIfNoEntry: false });
        // A link may lead out of the folder.
        const real = stats?.isFile() ? relative(fs.realpathSync(folder), fs.realpathSync(full!)) : undefined;
        const content =
          real === undefined || real.startsWith('..') || isAbsolute(real)
            ? undefined
            : new Uint8Array(fs.readFileSync(full!));
        known.set(path, content);
        if (content) fetched?.(path, content);
      }
      return known.get(path);
    },
    write: (path, bytes) => {
      const full = place(path);
      if (full === undefined || !fs.existsSync(join(full, '..'))) return;
      const above = relative(fs.realpathSync(folder), fs.realpathSync(join(full, '..')));
      if (
        above === '..' ||
        above.startsWith(`..${sep}`) ||
        fs.lstatSync(full, { throwIfNoEntry: false })?.isSymbolicLink()
      )
        return;
      fs.writeFileSync(full, bytes);
    },
    remove: (path) => {
      const full = place(path);
      if (full !== undefined && fs.lstatSync(full, { throwIfNoEntry: false })?.isFile()) fs.rmSync(full);
    },
  };
}
