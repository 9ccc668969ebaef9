/** Texts as the editor has them: those of open documents, else those on the disk. */
import { fileURLToPath, pathToFileURL } from 'node:url';
import { fingerprint } from '../report';
import { sha256 } from '../sha256';
import { contents } from './testFile';

export class Documents {
  private readonly open = new Map<string, string>();

  /** The path of a document; undefined for one that is no file. */
  static path(uri: string): string | undefined {
    try {
      return uri.startsWith('file:') ? fileURLToPath(uri) : undefined;
    } catch {
      return undefined;
    }
  }

  static uri(path: string): string {
    return pathToFileURL(path).href;
  }

  set(path: string, text: string): void {
    this.open.set(path, text);
  }

  close(path: string): void {
    this.open.delete(path);
  }

  isOpen(path: string): boolean {
    return this.open.has(path);
  }

  get paths(): readonly string[] {
    return [...this.open.keys()];
  }

  readonly text = (path: string): string | undefined => this.open.get(path) ?? contents(path);

  readonly fingerprint = (path: string): string | undefined => {
    const text = this.open.get(path);
    return text === undefined ? fingerprint(path) : sha256(text);
  };
}
