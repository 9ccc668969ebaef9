/**
 * Writes src/report/verdictJson.ts, the TypeScript types of the verdict's JSON, from src/report/verdict.schema.json.
 * `--check` writes nothing and fails when the file is out of date.
 */
'use strict';
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { compile } = require('json-schema-to-typescript');

const folder = join(__dirname, '..', 'src', 'report');
const target = join(folder, 'verdictJson.ts');

async function generate() {
  const schema = JSON.parse(readFileSync(join(folder, 'verdict.schema.json'), 'utf8'));
  return compile(schema, 'VerdictJson', {
    bannerComment: '/* Generated from verdict.schema.json by scripts/build-schema.js; change the schema and run `npm run schema`. */',
    style: { singleQuote: true, printWidth: 140 },
    unreachableDefinitions: false,
  });
}

async function main() {
  const text = await generate();
  if (!process.argv.includes('--check')) return writeFileSync(target, text);
  if (readFileSync(target, 'utf8') !== text) {
    console.error('src/report/verdictJson.ts is out of date: run `npm run schema`');
    process.exitCode = 1;
  }
}

void main();
