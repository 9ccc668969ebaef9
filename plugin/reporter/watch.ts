/**
 * Keys in Jest's watch mode: `b` runs again and writes the tests of the bugs that are found, `e` adds the probes that
 * potential errors suggest, `s` the specifications that excuse failures. A class per key, as Jest wants it;
 * `watchPlugins` of the preset names them.
 */
import { writeProbesVariable, writeSpecificationsVariable, writeTestsVariable } from '../session/records';

interface Hooks {
  onTestRunComplete(handler: () => void): void;
}

/** The next run writes, and only that one. */
export class WritingKey {
  constructor(
    private readonly key: string,
    private readonly prompt: string,
    private readonly variable: string,
  ) {}

  apply(hooks: Hooks): void {
    hooks.onTestRunComplete(() => {
      delete process.env[this.variable];
    });
  }

  getUsageInfo(): { readonly key: string; readonly prompt: string } {
    return { key: this.key, prompt: this.prompt };
  }

  /** True: run the tests again. */
  run(): Promise<boolean> {
    process.env[this.variable] = '1';
    return Promise.resolve(true);
  }
}

export class WriteTests extends WritingKey {
  constructor() {
    super('b', 'write the tests of bugs that provest found', writeTestsVariable);
  }
}

export class WriteProbes extends WritingKey {
  constructor() {
    super('e', 'add the probes that provest suggests', writeProbesVariable);
  }
}

export class WriteSpecifications extends WritingKey {
  constructor() {
    super('s', 'accept the specifications of clients that provest lists', writeSpecificationsVariable);
  }
}
