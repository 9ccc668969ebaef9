/**
 * Writes the TypeScript types of the JSON that provest prints and writes (src/report/json/verdictJson.ts, runJson.ts,
 * checkJson.ts, opinionJson.ts) from the schemas beside them. `--check` writes nothing and fails when one is out of
 * date.
 */
'use strict';
const { readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { compile } = require('json-schema-to-typescript');

/** Longest line of the types. */
const columns = 120;
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
  const banner =
    `/* Generated from ${name}.schema.json by scripts/build-schema.js; ` +
    'change the schema and run `npm run schema`. */';
  return wrapComments(
    await compile(schema, schema.title, {
      bannerComment:
        imported.length === 0 ? banner : `${banner}\nimport type { ${imported.join(', ')} } from './verdictJson';`,
      style: { singleQuote: true, printWidth: columns },
      unreachableDefinitions: false,
    }),
  );
}

/** A description is one line of a comment, however long it is: the compiler does not wrap it. */
function wrapComments(text) {
  return text
    .split('\n')
    .flatMap((line) => {
      const start = /^ *\* /.exec(line)?.[0];
      if (start === undefined) return [line];
      const wrapped = [];
      for (const word of line.slice(start.length).split(' ')) {
        const longer = `${wrapped.at(-1) ?? start.trimEnd()} ${word}`;
        if (wrapped.length > 0 && longer.length > columns) wrapped.push(start + word);
        else wrapped.splice(-1, 1, longer);
      }
      return wrapped;
    })
    .join('\n');
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
