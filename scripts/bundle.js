// After tsc: what the command and the proving process load, in one file, dist/bundle/provest.js, which `src/bundle.ts`
// reads: most of their modules are the same. It exports a function for each of them, which runs the modules that it
// needs. Packages stay outside; every module keeps its own folder, from which it finds its files. ASCII alone, so that
// V8 reads a byte a character; a function as Node makes them of modules, ready to be called.
const { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { join, relative } = require('node:path');
const { build, transformSync } = require('esbuild');

const dist = join(__dirname, '..', 'dist');
const folder = join(dist, 'bundle');

/** `__dirname` and `__filename` say where a module is, not where the bundle is. */
const ownPlaces = {
  name: 'own-places',
  setup({ onLoad }) {
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!/\b__(dir|file)name\b/.test(text)) return undefined;
      const place = (file) => `require("node:path").join(__dirname, ${JSON.stringify(relative(folder, file))})`;
      return {
        contents: `(function (__filename, __dirname) {${text}\n})(${place(path)}, ${place(join(path, '..'))});`,
      };
    });
  },
};

/**
 * Modules that take milliseconds to load for little. A package that few runs use is loaded when something of it is
 * first used. The clock of `node:perf_hooks` is the global one, which the sources cannot use: tests may fake it.
 */
const cheaper = {
  name: 'cheaper',
  setup({ onLoad, onResolve }) {
    const namespace = 'cheaper';
    const contents = {
      '@babel/code-frame': 'module.exports = new Proxy({}, { get: (_, name) => require("@babel/code-frame")[name] });',
      'node:perf_hooks': 'module.exports = { performance: globalThis.performance };',
    };
    onResolve({ filter: /^(@babel\/code-frame|node:perf_hooks)$/ }, ({ path, importer }) =>
      importer === path ? { path, external: true } : { path, namespace },
    );
    onLoad({ filter: /./, namespace }, ({ path }) => ({ contents: contents[path] }));
  },
};

async function main() {
  rmSync(folder, { recursive: true, force: true });
  await build({
    stdin: {
      contents: `
        exports.commandLine = () => require('./src/cli/commandLine.js');
        exports.engines = () => require('./src/prover/engines.js');
      `,
      resolveDir: dist,
    },
    outfile: join(folder, 'provest.js'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    packages: 'external',
    target: 'node20',
    charset: 'ascii',
    minifyWhitespace: true,
    minifySyntax: true,
    banner: { js: '(function (exports, require, module, __filename, __dirname) {' },
    footer: { js: '})' },
    logLevel: 'warning',
    // `require` is the bundle's own; `import` would need the loader of a module, which a script has none of.
    supported: { 'dynamic-import': false },
    plugins: [cheaper, ownPlaces],
  });
}

/**
 * Comments are a fifth of what the compiler emits and stay in the sources and in the declarations. Files that it did
 * not emit are left as they are.
 */
function withoutComments() {
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const file = join(dist, name);
    if (!name.endsWith('.js') || !existsSync(file.replace(/\.js$/, '.d.ts'))) continue;
    const text = readFileSync(file, 'utf8');
    const { code } = transformSync(text, {
      platform: 'node',
      target: 'node20',
      charset: 'utf8',
      legalComments: 'none',
    });
    if (code !== text) writeFileSync(file, code);
  }
}

withoutComments();
void main();
