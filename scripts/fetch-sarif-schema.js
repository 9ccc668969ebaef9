/**
 * Fetches the schema of SARIF 2.1.0 from OASIS, once, to node_modules/.cache: no package of the registry holds it, and it is not ours to copy. Without a
 * network the test against it is skipped, loudly.
 */
'use strict';
const { existsSync, mkdirSync, renameSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');

const url = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
const sarifSchema = join(__dirname, '..', 'node_modules', '.cache', 'provest-sarif', 'sarif-schema-2.1.0.json');

async function main() {
  if (existsSync(sarifSchema)) return;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(60_000) });
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
    const text = await response.text();
    JSON.parse(text);
    mkdirSync(dirname(sarifSchema), { recursive: true });
    writeFileSync(`${sarifSchema}.${process.pid}`, text);
    renameSync(`${sarifSchema}.${process.pid}`, sarifSchema);
  } catch (error) {
    console.error(`\n!! the schema of SARIF could not be fetched (${error instanceof Error ? error.message : error}); the test against it will be SKIPPED\n`);
  }
}

module.exports = { sarifSchema };

if (require.main === module) void main();
