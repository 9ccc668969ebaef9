/**
 * A task as it travels: with every file that its program reads, headers included. A worker puts the files below a
 * folder of its own, at the paths they have at home, and takes that folder out of the verdict again.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { gunzipSync, gzipSync } from 'node:zlib';
import { loadProgram } from '../program';
import { readMessage } from '../prover/protocol';
import type { Task } from '../task';
import type { Verdict } from '../verdict';

export interface PackedTask {
  /** Version of provest; a worker of another one does not take it. */
  readonly version: string;
  readonly payload: string;
}

interface Content {
  readonly task: Task;
  readonly alone: boolean;
  readonly files: readonly { readonly path: string; readonly text: string }[];
}

const packed = (value: unknown): string => gzipSync(serialize(value)).toString('base64');
const unpacked = (text: string): unknown => deserialize(gunzipSync(Buffer.from(text, 'base64')));

/** Throws `CError` when the C text cannot be accepted: then there is nothing to send. */
export function packTask(task: Task, alone: boolean, version: string): PackedTask {
  const { sources } = loadProgram(task.files, {
    variablesElsewhere: 'unknown',
    ...task.load,
    ...(task.stubs && { stubs: task.stubs }),
  });
  // The bundled headers have names and no files.
  const paths = [...new Set([...task.files, ...sources])].filter((path) => isAbsolute(path) && existsSync(path));
  const files = paths.map((path) => ({ path, text: readFileSync(path, 'utf8') }));
  return { version, payload: packed({ task, alone, files } satisfies Content) };
}

export interface UnpackedTask {
  readonly task: Task;
  readonly alone: boolean;
  /** Names what the task is about, whatever the contents of its files: what was proved of it before may help. */
  readonly about: string;
}

/** Writes the files below `root`. */
export function unpackTask({ payload }: PackedTask, root: string): UnpackedTask {
  const { task, alone, files } = unpacked(payload) as Content;
  for (const { path, text } of files) {
    const target = below(root, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  const { mode, entries, init, properties, engine } = task;
  return {
    task: {
      ...task,
      root,
      files: task.files.map((path) => below(root, path)),
      load: mapTexts(task.load, (text) => (isAbsolute(text) ? below(root, text) : text)),
    },
    alone,
    about: JSON.stringify([task.files, mode, entries, init, properties, engine]),
  };
}

const below = (root: string, path: string): string => join(root, path.replace(/^[A-Za-z]:/, ''));

export const packVerdict = (verdict: Verdict, root: string, version: string): PackedTask => ({
  version,
  payload: packed(mapTexts(verdict, (text) => text.replaceAll(root, ''))),
});

/** Undefined for anything that is no verdict of this version. */
export function unpackVerdict(result: unknown, version: string): Verdict | undefined {
  const { version: of, payload } = (result ?? {}) as Partial<PackedTask>;
  if (of !== version || typeof payload !== 'string') return undefined;
  try {
    const message = readMessage({ kind: 'verdict', verdict: unpacked(payload) });
    return message?.kind === 'verdict' ? message.verdict : undefined;
  } catch {
    return undefined; // no compressed data, or none of ours
  }
}

/** Every text in plain data. */
function mapTexts<T>(value: T, by: (text: string) => string): T {
  if (typeof value === 'string') return by(value) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => mapTexts(item, by)) as T;
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item as unknown, by)])) as T;
}
