/**
 * Surroundings of a running program: files, the terminal's streams, environment variables, a clock, the library's
 * random numbers. All of it is the same in every run unless it was given otherwise, so that runs can be repeated. In a
 * proof it is none of this: there, whatever comes from the environment may be anything.
 */
import { Files, type FilesOptions, type FilesSnapshot } from './files';
import { LibraryRandom } from './random';

export interface EnvironmentOptions extends FilesOptions {
  /** For `getenv`. Default: none. */
  readonly variables?: Readonly<Record<string, string>>;
}

export interface EnvironmentSnapshot {
  readonly files: FilesSnapshot;
  readonly random: readonly [Int32Array, number];
  readonly microseconds: number;
}

/** The moment at which every program starts: 2001-09-09 01:46:40 UTC. */
export const startSeconds = 1_000_000_000;

/** State of `rand` before seeding; a run that asks for no number must not pay for it. */
const firstNumbers = new LibraryRandom().snapshot();

export class Environment {
  readonly files: Files;
  readonly random = new LibraryRandom();
  private microseconds = 0;

  constructor(
    private readonly options: EnvironmentOptions,
    output: (bytes: Uint8Array, stream: 'stdout' | 'stderr') => void,
  ) {
    this.files = new Files(options, output);
  }

  reset(): void {
    this.files.reset();
    this.random.restore(firstNumbers);
    this.microseconds = 0;
  }

  /**
   * The time since the program started. Every call adds a millisecond, so that loops which wait for time to pass end.
   */
  elapsedMicroseconds(): number {
    this.microseconds += 1000;
    return this.microseconds;
  }

  variable(name: string): string | undefined {
    const { variables } = this.options;
    return variables && Object.hasOwn(variables, name) ? variables[name] : undefined;
  }

  snapshot(): EnvironmentSnapshot {
    return { files: this.files.snapshot(), random: this.random.snapshot(), microseconds: this.microseconds };
  }

  restore(snapshot: EnvironmentSnapshot): void {
    this.files.restore(snapshot.files);
    this.random.restore(snapshot.random);
    this.microseconds = snapshot.microseconds;
  }
}
