/**
 * The pictures in docs/images, made from a report: node scripts/screenshots.js. Needs the built package and Chromium
 * (CHROMIUM names it where it is not /usr/bin/chromium), and pngquant: with a palette of its own a picture has a third
 * of the bytes, and the package contains it.
 */
'use strict';
const { execFileSync } = require('node:child_process');
const { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { chromium } = require('playwright-core');

const root = join(__dirname, '..');
const images = join(root, 'docs', 'images');

const [stack, repaired] = ['stack.c', 'repaired_stack.c'].map((file) =>
  readFileSync(join(root, 'examples', file), 'utf8'),
);

const stackTest = `
const stack = loadC('./stack.c');
stack.probe('room', (s) => s.size < 8);
test('pop gives what was pushed', () => { stack.push(7); expect(stack.pop()).toBe(7); });
test('is verified', () => expect(stack).toBeVerified());
`;

/** The module of the tutorial's chapter on callers that are not there. */
function logOfTutorial() {
  const tutorial = readFileSync(join(root, 'docs', 'tutorial.md'), 'utf8');
  const [, c] = /## 8\.[^`]*```c\n([^`]*)```/.exec(tutorial);
  return c;
}

const logTest = `
const log = loadC('./log.c');
test('adds what there is room for', () => {
  const l = log.alloc('struct log');
  log.log_init(l);
  expect(log.log_add(l, 3)).toBe(1);
});
test('is verified', () => expect(log).toBeVerified({ budget: 40_000 }), 60_000);
`;

/** A project of a user's with these tests; answers with its report. */
function reportOf(folder, name, c, test) {
  mkdirSync(folder);
  writeFileSync(join(folder, `${name}.c`), c);
  writeFileSync(join(folder, `${name}.test.js`), `const { loadC } = require(${JSON.stringify(root)});\n${test}`);
  writeFileSync(
    join(folder, 'jest.config.js'),
    `module.exports = {
  setupFilesAfterEnv: [${JSON.stringify(join(root, 'dist/plugin/setup.js'))}],
  reporters: [[${JSON.stringify(join(root, 'dist/plugin/reporter.js'))}, { html: 'report.html' }]],
};`,
  );
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/jest/bin/jest.js')], { cwd: folder, stdio: 'ignore' });
  } catch (error) {
    if (error.status !== 1) throw error; // the bug's test fails
  }
  return pathToFileURL(join(folder, 'report.html')).href;
}

/** The example of `provest slice` in the documentation, verified; answers with its report. */
function reportOfSlice(folder) {
  mkdirSync(folder);
  const options = readFileSync(join(root, 'docs', 'reference', 'options.md'), 'utf8');
  const [, program] = /### `provest slice <files...>`[^]*?```c\n([^]*?)```/u.exec(options);
  writeFileSync(join(folder, 'pump.c'), program);
  const cli = join(root, 'dist/src/cli/main.js');
  const asked = 'verify pump.c --entry main --no-cache --html report.html';
  execFileSync(process.execPath, [cli, ...asked.split(' ')], { cwd: folder, stdio: 'ignore' });
  return pathToFileURL(join(folder, 'report.html')).href;
}

/** Chooses the assertion, so that what does not matter to it gets the third shade. */
async function chooseAssertion(page) {
  await page.setViewportSize({ width: 1180, height: 480 });
  await page.locator('#lines .line', { hasText: 'assert(litres <= 50)' }).first().click();
  await page.getByRole('button', { name: 'what matters to it' }).first().click();
}

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'provest-screenshots-'));
  mkdirSync(images, { recursive: true });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  try {
    const shoot = async (url, name, colorScheme, prepare, selector) => {
      const page = await browser.newPage({ viewport: { width: 1180, height: 700 }, colorScheme });
      await page.goto(url);
      await prepare(page);
      await (selector ? page.locator(selector) : page).screenshot({ path: join(images, name) });
      await page.close();
    };
    const bug = reportOf(join(folder, 'bug'), 'stack', stack, stackTest);
    const proved = reportOf(join(folder, 'proved'), 'stack', repaired, stackTest);
    await shoot(bug, 'report-bug.png', 'light', (page) => page.keyboard.press('k'));
    await shoot(bug, 'report-dark.png', 'dark', (page) => page.keyboard.press('r'));
    await shoot(
      proved,
      'report-states.png',
      'light',
      (page) => page.setViewportSize({ width: 1180, height: 1100 }),
      '#states',
    );
    await shoot(reportOfSlice(join(folder, 'slice')), 'report-slice.png', 'light', chooseAssertion);
    const open = reportOf(join(folder, 'open'), 'log', logOfTutorial(), logTest);
    await shoot(open, 'report-specifications.png', 'light', async (page) => {
      await page.setViewportSize({ width: 1180, height: 1010 });
      await page.locator('#failures summary', { hasText: 'log_add: l != NULL' }).click();
    });
    const names = [
      'report-bug.png',
      'report-dark.png',
      'report-slice.png',
      'report-specifications.png',
      'report-states.png',
    ];
    const pictures = names.map((name) => join(images, name));
    execFileSync('pngquant', [
      '--quality',
      '80-98',
      '--strip',
      '--speed',
      '1',
      '--force',
      '--ext',
      '.png',
      ...pictures,
    ]);
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

void main();
