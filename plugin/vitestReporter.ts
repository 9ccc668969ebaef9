/** `reporters: ['default', 'provest/vitest-reporter']`: the summary, in Vitest. Without it the verdicts are the same. */
import ProvestReporter, { type ReporterOptions } from './reporter';

export default class VitestReporter {
  private readonly reporter: ProvestReporter;

  constructor(options: ReporterOptions = {}) {
    // Workers are started after this and inherit its environment.
    this.reporter = new ProvestReporter({ ci: process.env.CI !== undefined && process.env.CI !== '' && process.env.CI !== 'false' }, { live: false, interruptible: false, ...options }); // Vitest draws the whole screen, and hears Ctrl-C
  }

  onTestRunStart(): void {
    this.reporter.onRunStart();
  }

  async onTestRunEnd(): Promise<void> {
    await this.reporter.onRunComplete();
    if (this.reporter.getLastError()) process.exitCode = 1;
  }
}
