// Runs a TypeScript file of this project directly: node scripts/run-ts.js bench/csmith.ts [arguments]. Types are dropped, not checked.
'use strict';
const { readFileSync } = require('node:fs');
const { resolve } = require('node:path');
const ts = require('typescript');

require.extensions['.ts'] = (module, fileName) => {
  const { outputText } = ts.transpileModule(readFileSync(fileName, 'utf8'), {
    fileName,
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS, esModuleInterop: true, inlineSourceMap: true },
  });
  module._compile(outputText, fileName);
};
process.argv.splice(1, 2, resolve(process.argv[2]));
require(process.argv[1]);
