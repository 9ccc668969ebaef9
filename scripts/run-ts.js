// Runs a TypeScript file of this project directly: node scripts/run-ts.js bench/csmith.ts [arguments]. Types are
// dropped, not checked.
'use strict';
const { readFileSync } = require('node:fs');
const { resolve } = require('node:path');
const { transformSync } = require('@swc/core');

require.extensions['.ts'] = (module, fileName) => {
  const { code } = transformSync(readFileSync(fileName, 'utf8'), {
    filename: fileName,
    swcrc: false,
    configFile: false,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  });
  module._compile(code, fileName);
};
process.argv.splice(1, 2, resolve(process.argv[2]));
require(process.argv[1]);
