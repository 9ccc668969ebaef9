/**
 * Proofs of earlier runs, shared by workers through the same Redis: the files of a proof cache, by what they are about.
 * Each is named by a hash of its question and begins with a hash of its contents, and a prover checks again whatever it
 * takes from there, so a wrong one costs time.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { sha256 } from '../sha256';
import type { Connection } from './library';

const keptSeconds = 30 * 24 * 3600;
/** Larger ones cost more to send than to find. */
const mostBytes = 4 * 2 ** 20;

export class SharedProofs {
  constructor(
    private readonly connection: Connection,
    private readonly version: string,
  ) {}

  private key(about: string): string {
    return `provest:proofs:${this.version}:${sha256(about)}`;
  }

  /** Fills a folder; returns what was put there. */
  async fetch(about: string, folder: string): Promise<ReadonlyMap<string, string>> {
    mkdirSync(folder, { recursive: true });
    const found = await this.connection.hgetall(this.key(about));
    const files = new Map(Object.entries(found).filter(([name]) => /^[\w.]+\.proof$/.test(name)));
    for (const [name, text] of files) writeFileSync(join(folder, basename(name)), text);
    return files;
  }

  /** Keeps what is new. */
  async keep(about: string, folder: string, before: ReadonlyMap<string, string>): Promise<void> {
    if (!existsSync(folder)) return;
    const changed = readdirSync(folder)
      .filter((name) => name.endsWith('.proof'))
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const)
      .filter(([name, text]) => text.length <= mostBytes && before.get(name) !== text);
    if (changed.length === 0) return;
    await this.connection.hset(this.key(about), Object.fromEntries(changed));
    await this.connection.expire(this.key(about), keptSeconds);
  }
}
