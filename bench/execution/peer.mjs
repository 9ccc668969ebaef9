/**
 * One program on a C interpreter in JavaScript, in a process of its own: node peer.mjs FOLDER jscpp|picoc FILE SIZE.
 * The last line of the output is JSON with what the program printed and the time of the processor, or why it did not
 * run. FOLDER is where the interpreters are installed.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [folder, which, file, size] = process.argv.slice(2);
const require = createRequire(join(folder, 'package.json'));
// Neither takes definitions from outside; one knows no `(void)`.
const given = readFileSync(file, 'utf8').replace(/\bSIZE\b/g, size);
const text = which === 'jscpp' ? given.replace(/\(void\)/g, '()') : given;
const processor = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const answer = (result) => {
  process.stdout.write(`\n${JSON.stringify(result)}\n`);
};
const failed = (error) => {
  answer({
    failure: String(error?.message ?? error)
      .trim()
      .split('\n')[0],
  });
};

let output = '';
const before = processor();
try {
  if (which === 'jscpp') {
    // Unsigned numbers that wrap are an error by default.
    require('JSCPP').run(text, '', {
      stdio: {
        write: (part) => {
          output += part;
        },
      },
      unsigned_overflow: 'ignore',
    });
    answer({ output, milliseconds: processor() - before });
  } else {
    const { runC } = await import(require.resolve('picoc-js'));
    process.on('uncaughtException', failed);
    process.on('unhandledRejection', failed);
    process.on('beforeExit', () => {
      answer({ output, milliseconds: processor() - before });
      process.exit(0);
    });
    runC(text, (line) => {
      output += `${line}\n`;
    });
  }
} catch (error) {
  failed(error);
}
