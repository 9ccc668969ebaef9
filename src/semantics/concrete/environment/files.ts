/**
 * Files in memory: what <stdio.h> and <unistd.h> are about. A path names a content; an open file (0, 1 and 2 are the
 * standard streams) is a position in one. Nothing of the host's is touched unless it lends a `HostFiles`: then a file
 * is fetched when it is first named, and given back when it is closed.
 *
 * Failures are answered as negative numbers, minus C's `errno`. Contents are never changed in place once a snapshot was
 * taken.
 */
import { TextEncoder } from '../../../textCoding';

/** The host's files, where a test grants them. */
export interface HostFiles {
  /** Undefined when there is none. */
  read(path: string): Uint8Array | undefined;
  write(path: string, bytes: Uint8Array): void;
  remove(path: string): void;
}

export interface FilesOptions {
  /** By path. Text is UTF-8. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Contents of `stdin`, or a source of further bytes, undefined at the end. Default: nothing. */
  readonly stdin?: string | Uint8Array | (() => Uint8Array | undefined);
  readonly host?: HostFiles;
}

/** The numbers of <errno.h>. */
export const errors = {
  ENOENT: 2,
  EIO: 5,
  EBADF: 9,
  EEXIST: 17,
  EINVAL: 22,
  EMFILE: 24,
  EFBIG: 27,
  ESPIPE: 29,
  ENOTTY: 25,
} as const;

export interface OpenMode {
  readonly read: boolean;
  readonly write: boolean;
  readonly append: boolean;
  readonly create: boolean;
  readonly truncate: boolean;
  readonly exclusive: boolean;
}

interface Content {
  readonly bytes: Uint8Array;
  readonly size: number;
  readonly owner: number;
}
interface Open {
  /** Undefined: a standard output. */
  readonly path: string | undefined;
  readonly mode: OpenMode;
  position: number;
  atEnd: boolean;
  failed: boolean;
  /** Bytes pushed back, last first. */
  pushedBack: readonly number[];
  /** To be given back to the host. */
  changed: boolean;
}

export interface FilesSnapshot {
  readonly contents: ReadonlyMap<string, Content>;
  readonly open: ReadonlyMap<number, Open>;
  readonly removed: ReadonlySet<string>;
}

const standardInput = '<stdin>';
const mostOpen = 1000;
/** A file does not grow beyond this many bytes: a program may seek anywhere. */
const mostBytes = 1 << 28;
const reading: OpenMode = { read: true, write: false, append: false, create: false, truncate: false, exclusive: false };
const writing: OpenMode = { ...reading, read: false, write: true };

export class Files {
  private contents = new Map<string, Content>();
  private open = new Map<number, Open>();
  /** Files of the host that were removed here; they are not fetched again. */
  private removed = new Set<string>();
  /** Whose bytes may be changed in place: contents of this generation. */
  private generation = 0;
  private temporaries = 0;

  constructor(
    private readonly options: FilesOptions,
    private readonly output: (bytes: Uint8Array, stream: 'stdout' | 'stderr') => void,
  ) {
    this.reset();
  }

  reset(): void {
    this.contents = new Map(
      Object.entries(this.options.files ?? {}).map(([path, content]) => [path, this.content(bytesOf(content))]),
    );
    const { stdin } = this.options;
    this.contents.set(
      standardInput,
      this.content(stdin === undefined || typeof stdin === 'function' ? new Uint8Array(0) : bytesOf(stdin)),
    );
    this.open = new Map([
      [0, openEntry(standardInput, reading)],
      [1, openEntry(undefined, writing)],
      [2, openEntry(undefined, writing)],
    ]);
    this.removed = new Set();
    this.temporaries = 0;
  }

  snapshot(): FilesSnapshot {
    this.generation++;
    return { contents: new Map(this.contents), open: copyOf(this.open), removed: new Set(this.removed) };
  }

  restore(snapshot: FilesSnapshot): void {
    this.generation++;
    this.contents = new Map(snapshot.contents);
    this.open = copyOf(snapshot.open);
    this.removed = new Set(snapshot.removed);
  }

  /** The content of a file now; undefined when there is none. */
  fileNamed(path: string): Uint8Array | undefined {
    const content = this.find(path);
    return content?.bytes.slice(0, content.size);
  }

  /** A number, or minus an error. */
  openFile(path: string, mode: OpenMode): number {
    const number = this.freeNumber();
    if (number < 0) return number;
    const existing = this.find(path);
    if (!existing && !mode.create) return -errors.ENOENT;
    if (existing && mode.create && mode.exclusive) return -errors.EEXIST;
    const made = !existing || mode.truncate;
    if (made) this.contents.set(path, this.content(new Uint8Array(0)));
    this.open.set(number, { ...openEntry(path, mode), changed: made });
    return number;
  }

  /** A file that no path names. */
  temporary(): number {
    return this.openFile(`<temporary ${++this.temporaries}>`, {
      ...reading,
      write: true,
      create: true,
      truncate: true,
    });
  }

  close(number: number): number {
    const file = this.open.get(number);
    if (!file) return -errors.EBADF;
    this.giveBack(file);
    this.open.delete(number);
    return 0;
  }

  /** Fewer bytes than asked at the end of the file. */
  read(number: number, most: number): Uint8Array | number {
    const file = this.open.get(number);
    if (!file?.mode.read || file.path === undefined) return this.fail(file, errors.EBADF);
    const back = file.pushedBack.slice(0, most);
    file.pushedBack = file.pushedBack.slice(back.length);
    if (file.path === standardInput) this.fetchInput(file.position + most - back.length);
    const content = this.contents.get(file.path);
    const end = Math.min(content?.size ?? 0, file.position + most - back.length);
    const rest = content && end > file.position ? content.bytes.subarray(file.position, end) : new Uint8Array(0);
    file.position += rest.length;
    if (back.length + rest.length < most) file.atEnd = true;
    return back.length === 0 ? rest : Uint8Array.of(...back, ...rest);
  }

  /** A byte, or -1 at the end or after a failure. */
  get(number: number): number {
    const bytes = this.read(number, 1);
    return typeof bytes === 'number' || bytes.length === 0 ? -1 : bytes[0]!;
  }

  unget(number: number, byte: number): boolean {
    const file = this.open.get(number);
    if (!file?.mode.read) return false;
    file.pushedBack = [byte, ...file.pushedBack];
    file.atEnd = false;
    return true;
  }

  /** Number of bytes written, or minus an error. */
  write(number: number, bytes: Uint8Array): number {
    const file = this.open.get(number);
    if (!file?.mode.write) return this.fail(file, errors.EBADF);
    if (file.path === undefined) {
      if (bytes.length > 0) this.output(bytes, number === 2 ? 'stderr' : 'stdout');
      return bytes.length;
    }
    const content = this.contents.get(file.path) ?? this.content(new Uint8Array(0));
    const at = file.mode.append ? content.size : file.position - file.pushedBack.length;
    if (at + bytes.length > mostBytes) return this.fail(file, errors.EFBIG);
    this.contents.set(file.path, this.contentAfterWrite(content, at, bytes));
    file.position = at + bytes.length;
    file.pushedBack = [];
    file.changed = true;
    return bytes.length;
  }

  /** `whence` as in C: 0 from the start, 1 from here, 2 from the end. The new position, or minus an error. */
  seek(number: number, offset: number, whence: number): number {
    const file = this.open.get(number);
    if (!file) return -errors.EBADF;
    if (file.path === undefined) return -errors.ESPIPE;
    const base =
      whence === 0
        ? 0
        : whence === 1
          ? this.tell(number)
          : whence === 2
            ? (this.contents.get(file.path)?.size ?? 0)
            : NaN;
    const position = base + offset;
    if (!Number.isSafeInteger(position) || position < 0) return -errors.EINVAL;
    file.position = position;
    file.pushedBack = [];
    file.atEnd = false;
    return position;
  }

  tell(number: number): number {
    const file = this.open.get(number);
    if (!file) return -errors.EBADF;
    return file.path === undefined ? -errors.ESPIPE : file.position - file.pushedBack.length;
  }

  /** Cuts a file, or fills it up with zeros. */
  resize(number: number, size: number): number {
    const file = this.open.get(number);
    if (!file?.mode.write || file.path === undefined) return -errors.EBADF;
    if (size < 0) return -errors.EINVAL;
    const bytes = new Uint8Array(size);
    const before = this.contents.get(file.path);
    if (before) bytes.set(before.bytes.subarray(0, Math.min(size, before.size)));
    this.contents.set(file.path, this.content(bytes));
    file.changed = true;
    return 0;
  }

  flags(number: number): { readonly isOpen: boolean; readonly atEnd: boolean; readonly failed: boolean } {
    const file = this.open.get(number);
    return { isOpen: file !== undefined, atEnd: file?.atEnd ?? false, failed: file?.failed ?? false };
  }

  clear(number: number): void {
    const file = this.open.get(number);
    if (!file) return;
    file.atEnd = false;
    file.failed = false;
  }

  remove(path: string): number {
    if (!this.find(path)) return -errors.ENOENT;
    this.contents.delete(path);
    this.removed.add(path);
    this.options.host?.remove(path);
    return 0;
  }

  rename(from: string, to: string): number {
    const content = this.find(from);
    if (!content) return -errors.ENOENT;
    if (from === to) return 0;
    this.contents.set(to, content);
    this.removed.delete(to);
    this.options.host?.write(to, content.bytes.slice(0, content.size));
    return this.remove(from);
  }

  exists(path: string): boolean {
    return this.find(path) !== undefined;
  }

  private find(path: string): Content | undefined {
    const known = this.contents.get(path);
    if (known ?? this.removed.has(path)) return known;
    const fetched = this.options.host?.read(path);
    if (!fetched) return undefined;
    const content = this.content(fetched);
    this.contents.set(path, content);
    return content;
  }

  private giveBack(file: Open): void {
    const content = file.path === undefined ? undefined : this.contents.get(file.path);
    if (file.changed && content && !file.path!.startsWith('<'))
      this.options.host?.write(file.path!, content.bytes.slice(0, content.size));
  }

  private fetchInput(size: number): void {
    const { stdin } = this.options;
    if (typeof stdin !== 'function') return;
    for (
      let content = this.contents.get(standardInput)!;
      content.size < size;
      content = this.contents.get(standardInput)!
    ) {
      const more = stdin();
      if (!more || more.length === 0) return;
      this.contents.set(standardInput, this.contentAfterWrite(content, content.size, more));
    }
  }

  private fail(file: Open | undefined, error: number): number {
    if (file) file.failed = true;
    return -error;
  }

  private freeNumber(): number {
    for (let number = 0; number < mostOpen; number++) if (!this.open.has(number)) return number;
    return -errors.EMFILE;
  }

  private content(bytes: Uint8Array): Content {
    return { bytes, size: bytes.length, owner: -1 };
  }

  private contentAfterWrite(content: Content, at: number, bytes: Uint8Array): Content {
    const size = Math.max(content.size, at + bytes.length);
    const mine = content.owner === this.generation && size <= content.bytes.length;
    let room = content.bytes;
    if (!mine) {
      room = new Uint8Array(Math.max(size + 64, 2 * content.size));
      room.set(content.bytes.subarray(0, content.size));
    }
    room.set(bytes, at);
    return { bytes: room, size, owner: this.generation };
  }
}

const openEntry = (path: string | undefined, mode: OpenMode): Open => ({
  path,
  mode,
  position: 0,
  atEnd: false,
  failed: false,
  pushedBack: [],
  changed: false,
});
const copyOf = (open: ReadonlyMap<number, Open>): Map<number, Open> =>
  new Map([...open].map(([number, file]) => [number, { ...file }]));
const bytesOf = (content: string | Uint8Array): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content;

/** `"r"`, `"w+b"` and the like (C11 7.21.5.3); undefined for what is none. */
export function modeOf(text: string): OpenMode | undefined {
  const match = /^([rwa])([+bxetmc]*)(?:,.*)?$/.exec(text);
  if (!match) return undefined;
  const [, first, flags = ''] = match;
  const both = flags.includes('+');
  return {
    read: first === 'r' || both,
    write: first !== 'r' || both,
    append: first === 'a',
    create: first !== 'r',
    truncate: first === 'w',
    exclusive: flags.includes('x'),
  };
}
