/**
 * The package that users' projects of these tests have installed: this folder's `dist`, or the unpacked tarball that
 * PROVEST_PACKAGE names, so that all requirements can be tried on what is published.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = join(__dirname, '..', '..');
export const builtPackage = resolve(process.env['PROVEST_PACKAGE'] ?? root);
export const commandFile = join(builtPackage, 'dist', 'src', 'cli', 'main.js');

if (!existsSync(commandFile)) throw new Error(`no built package in ${builtPackage}: run "npm run build" first`);
