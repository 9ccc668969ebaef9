// Before `npm test`: what it is about to do, and what to run instead while one works.
'use strict';
const { readdirSync } = require('node:fs');
const { join } = require('node:path');

const files = readdirSync(join(__dirname, '..', 'test'), { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.test.ts'),
);
const ux = files.filter((name) => /^ux[\\/]/.test(name)).length;
console.error(
  `All ${files.length} test files: the front end, the semantics, every engine on every fixture, and, in ${ux} of them,
the built package in projects of users. That takes tens of minutes on two cores. "npm run test:quick" runs
the front end, the terms and the documents, which takes a minute or two; "npx jest FOLDER" runs one folder.`,
);
