/**
 * R3 in Vitest: `vitest run -u` writes the test of a bug into the file that found it; that test alone fails at the same
 * C line, and passes once the C is repaired.
 */
import { ifLong, inLongForm } from '../long';
import { seededBugs } from './seededBugs';
import { describeWith, good, removeProjects, UserProject } from './userProject';

afterAll(removeProjects);

const head = (name: string): string =>
  `import { expect, test } from 'vitest';\nimport { loadC } from 'provest';\n\n` +
  `const m = loadC('./${name}.c', { externals: 'any' });\n`;
/** Plain calls; objects, what C handed back and the environment in the long form. */
const chosen = seededBugs.filter(({ name }) =>
  ['underflow', ...ifLong('handedback', 'objects', 'environment')].includes(name),
);

describeWith('vitest-4', () => {
  inLongForm('each bug gives a test, once, in TypeScript; never where CI says so', () => {
    const files = Object.fromEntries(
      chosen.flatMap(({ name, c }) => [
        [`${name}.c`, c],
        [
          `${name}.test.ts`,
          `${head(name)}\ntest('${name} is verified', () => expect(m).toBeVerified({ allowNoTests: true }));\n`,
        ],
      ]),
    );
    const project = new UserProject('vitest-4', files);
    const read = (): string[] => chosen.map(({ name }) => project.read(`${name}.test.ts`));
    const found = project.run(['-u'], { CI: '1' });
    expect(found.failed).toEqual(chosen.map(({ name }) => `${name} is verified`).sort());
    for (const { name, line } of chosen)
      expect(found.message(`${name} is verified`)).toMatch(new RegExp(`bug \\(reproduced\\)[^]*${name}\\.c:${line}:`));
    // Both lines: of the C, and of the test.
    expect(found.stdout + found.stderr).toMatch(/❯ underflow\.test\.ts:6:\d+\n/);
    expect(read().join()).not.toContain('@provest-generated');

    const written = project.run(['-u']);
    for (const { name } of chosen) {
      expect(written.stderr).toMatch(new RegExp(`provest: ${name}\\.test\\.ts: [12] tests? written`));
      expect(project.read(`${name}.test.ts`)).toMatch(
        /@provest-generated[^\n]*\ntest\('[^\n]* at \w+\.c:\d+ \([^\n]*\)', \(\) => \{\n {2}m\.reset\(\);\n/,
      );
    }
    const once = read();
    project.run(['-u']);
    expect(read()).toEqual(once);

    // The generated tests alone.
    chosen.forEach(({ name }, i) =>
      project.write({ [`${name}.test.ts`]: once[i]!.replace(/^test\('\w+ is verified'.*$/m, '') }),
    );
    const alone = project.run();
    expect(alone.tests.length).toBeGreaterThanOrEqual(chosen.length);
    for (const { title, status, failureMessages } of alone.tests) {
      expect([title, status]).toEqual([title, 'failed']);
      expect(failureMessages.join()).toContain(`${/ at (\S+\.c:\d+) \(/.exec(title)![1]!}:`);
    }
    for (const { name, line } of chosen)
      expect(alone.tests.map(({ title }) => title)).toContainEqual(
        expect.stringMatching(new RegExp(` at ${name}\\.c:${line} \\(`)),
      );
    for (const {
      name,
      c,
      repair: [wrong, right],
    } of chosen)
      project.write({ [`${name}.c`]: c.replace(wrong, right) });
    const repaired = project.run();
    expect([repaired.failed, repaired.status]).toEqual([[], 0]);
  });

  inLongForm('the probes that a potential error suggests are added on request, which is enough', () => {
    const project = new UserProject('vitest-4', {
      'weak.c': good,
      'weak.test.ts':
        `${head('weak')}\ntest('calls', () => { m.push(1); });\n` +
        `test('weak is verified', () => expect(m).toBeVerified({ predicates: 'probes', escalate: false }));\n`,
    });
    const asked = project.run([], { PROVEST_WRITE_PROBES: '1' });
    expect([asked.failed, asked.stderr]).toEqual([
      ['weak is verified'],
      expect.stringContaining('weak.test.ts: 2 probes added'),
    ]);
    expect(project.run().failed).toEqual([]);
  });
});
