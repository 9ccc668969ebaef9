/**
 * Writes the TypeScript types of the JSON that provest prints and writes (src/report/json/verdictJson.ts, runJson.ts,
 * checkJson.ts, opinionJson.ts) from the schemas beside them. `--check` writes nothing and fails when one is out of date.
 */
'use strict';
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { compile } = require('json-schema-to-typescript');

const folder = join(__dirname, '..', 'src', 'report', 'json');
/** With what each takes from the verdict's. */
const schemas = [
  ['verdict', []],
  ['run', ['AdequacyJson', 'VerdictJson']],
  ['check', ['PropertyJson']],
  ['opinion', ['PropertyJson']],
];

/** What stands in another schema is imported, not said again. */
const withoutReferences = (value) =>
  value !== null && typeof value === 'object' && 'tsType' in value ? { tsType: value.tsType } : value;

async function generate(name, imported) {
  const schema = JSON.parse(readFileSync(join(folder, `${name}.schema.json`), 'utf8'), (_, value) =>
    withoutReferences(value),
  );
  const banner = `/* Generated from ${name}.schema.json by scripts/build-schema.js; change the schema and run \`npm run schema\`. */`;
  return compile(schema, schema.title, {
    bannerComment:
      imported.length === 0 ? banner : `${banner}\nimport type { ${imported.join(', ')} } from './verdictJson';`,
    style: { singleQuote: true, printWidth: 140 },
    unreachableDefinitions: false,
  });
}

async function main() {
  for (const [name, imported] of schemas) {
    const target = join(folder, `${name}Json.ts`);
    const text = await generate(name, imported);
    if (!process.argv.includes('--check')) writeFileSync(target, text);
    else if (readFileSync(target, 'utf8') !== text) {
      console.error(`src/report/json/${name}Json.ts is out of date: run \`npm run schema\``);
      process.exitCode = 1;
    }
  }
}

void main();
