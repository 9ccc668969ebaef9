/**
 * C interpreters in JavaScript, to be compared with: JSCPP and picoc-js (PicoC compiled to WebAssembly). They are no
 * dependency; npm brings them into a folder of the user's cache when a benchmark first asks, and where that fails they
 * are left out, loudly. Each program runs in a process of its own, with little work.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export const peers = [
  ['JSCPP', 'jscpp'],
  ['picoc-js', 'picoc'],
] as const;
export type Peer = (typeof peers)[number];

const timeoutMs = 60_000;

/** The folder where they are; undefined when they cannot be had. */
export function installedPeers(): string | undefined {
  const folder = join(homedir(), '.cache', 'provest-peers', 'interpreters');
  if (!peers.every(([name]) => existsSync(join(folder, 'node_modules', name)))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    spawnSync('npm', ['install', '--no-audit', '--no-fund', ...peers.map(([name]) => name)], {
      cwd: folder,
      stdio: 'ignore',
      timeout: 120_000,
    });
  }
  return peers.every(([name]) => existsSync(join(folder, 'node_modules', name))) ? folder : undefined;
}

export type PeerRun = { readonly milliseconds: number; readonly output: string } | { readonly failure: string };

export function onPeer(folder: string, [, which]: Peer, path: string, size: number): PeerRun {
  const { stdout, error } = spawnSync('node', [join(__dirname, 'peer.mjs'), folder, which, path, String(size)], {
    encoding: 'utf8',
    timeout: timeoutMs,
  });
  if (error) return { failure: `over ${timeoutMs / 1000} s` };
  const answer = stdout.trim().split('\n').pop() ?? '';
  if (!answer.startsWith('{')) return { failure: 'stops' };
  return JSON.parse(answer) as PeerRun;
}
