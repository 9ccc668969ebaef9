/** Tests beside another program: where it is not installed they are skipped, loudly. */

interface TestsOfPeer {
  readonly test: jest.It;
  readonly describe: jest.Describe;
}

/** `untested`: what is missing, and what nobody looks at for that. */
export function besidePeer(isInstalled: boolean, untested: string): TestsOfPeer {
  if (isInstalled) return { test, describe };
  process.stderr.write(`\n!! WARNING: ${untested}\n\n`);
  return { test: test.skip, describe: describe.skip };
}
