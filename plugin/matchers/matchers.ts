/**
 * `toBeVerified` and `toBeAdequatelyTested`. Only a proof passes the first; its negation passes only for a bug, since
 * "don't know" is neither. Installed by importing the package, whatever the configuration.
 */
import { fromTest } from '../../src/host/callerStack';
import { formatVerdict, percent, verdictWord } from '../../src/report';
import { missingStates } from '../../src/report/missing';
import { grade } from '../../src/report/thresholds';
import type { Verdict } from '../../src/verdict';
import { moduleOf, type CModule } from '../session/cModule';
import { checkAdequacyOptions, checkVerifyOptions } from '../module/checkOptions';
import { installHooks, jestGlobals } from '../runners/jest';
import { session } from '../session/session';
import { trackAwaiting } from '../session/awaitedPromise';
import type { AdequacyOptions, VerifyOptions } from '../api/types';
import { verdictOn } from './verdictOf';

interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}
interface MatcherContext {
  readonly isNot?: boolean;
  readonly utils?: {
    readonly EXPECTED_COLOR?: (text: string) => string;
    readonly printReceived?: (value: unknown) => string;
  };
}

export function toBeVerified(
  this: MatcherContext,
  received: unknown,
  options: VerifyOptions = {},
): PromiseLike<MatcherResult> {
  requireValid(() => checkVerifyOptions(options));
  return ask(this, received, 'toBeVerified', { options, adequacy: false }, (verdict, text) => {
    switch (verdict.kind) {
      case 'proved':
        return { pass: true, message: text };
      case 'bug':
        return { pass: false, message: text };
      case 'conditional': {
        // A specification that was not judged may excuse an error: it must be read before it is accepted.
        const areJudged = verdict.angelic.specifications.every(({ undecided }) => !undecided);
        return { pass: (options.angelic === 'accept' && areJudged) || this.isNot === true, message: text };
      }
      case 'potential-error':
      case 'unknown':
      case 'not-evaluated':
        return { pass: this.isNot === true, message: text };
    }
  });
}

export function toBeAdequatelyTested(
  this: MatcherContext,
  received: unknown,
  options: AdequacyOptions = {},
): PromiseLike<MatcherResult> {
  requireValid(() => checkAdequacyOptions(options));
  const { thresholds = {}, atLeast = options.thresholds ? (thresholds.break ?? 0) / 100 : 1, ...verify } = options;
  return ask(this, received, 'toBeAdequatelyTested', { options: verify, adequacy: true }, (verdict, text, module) => {
    const { adequacy } = verdict;
    // Without a closed set of states there is no whole to be a share of.
    if (!adequacy || adequacy.total === 0) {
      return {
        pass: this.isNot === true,
        message: () =>
          `How well ${module.name} is tested cannot be said, because the states it can reach are not ` +
          `known.\n\n${text()}`,
      };
    }
    const word = grade(adequacy.ratio, thresholds);
    return {
      pass: adequacy.ratio + 1e-9 >= atLeast,
      message: () =>
        [
          `The tests reach ${adequacy.covered} of ${adequacy.total} abstract states of ${module.name}: ` +
            `${percent(adequacy.ratio)}${word === undefined ? '' : ` (${word})`}, asked for ` +
            `${this.isNot ? 'less than' : 'at least'} ${percent(atLeast)}.`,
          '',
          ...missingStates(adequacy),
        ].join('\n'),
    };
  });
}

function ask(
  context: MatcherContext,
  received: unknown,
  matcher: string,
  { options, adequacy }: { readonly options: VerifyOptions; readonly adequacy: boolean },
  judge: (verdict: Verdict, text: () => string, module: CModule) => MatcherResult,
): PromiseLike<MatcherResult> {
  const module = moduleOf(received);
  const color = (context.utils?.EXPECTED_COLOR?.('x') ?? 'x') !== 'x';
  const asked = new Error();
  const answer = async (): Promise<MatcherResult> => {
    if (!module) {
      return {
        pass: context.isNot === true,
        message: () =>
          `expect(…).${matcher}() is for C modules: give it what loadC returned, not ` +
          `${context.utils?.printReceived?.(received) ?? String(received)}`,
      };
    }
    const passes = ({ kind }: Verdict): boolean => !adequacy && kind === (context.isNot ? 'bug' : 'proved');
    const verdict = await verdictOn(module, options, { adequacy, passes });
    return withPlace(
      context,
      asked,
      judge(
        verdict,
        () =>
          (context.isNot
            ? `expected ${module.path} not to be verified, but it is ${verdictWord[verdict.kind]}\n\n`
            : '') + `${forJest(formatVerdict(verdict, { color, subject: module.path, base: process.cwd() }))}`,
        module,
      ),
    );
  };
  return trackAwaiting(answer(), (pending) => session().pending.push(pending));
}

/** A misspelt option is shown where it stands. */
function requireValid(check: () => void): void {
  try {
    check();
  } catch (error) {
    throw error instanceof Error ? fromTest(error) : error;
  }
}

/**
 * Jest shows the line that asked; of a matcher that answers later, Vitest does not know it, unless the error comes from
 * here.
 */
function withPlace({ isNot = false }: MatcherContext, asked: Error, result: MatcherResult): MatcherResult {
  if (session().expect === undefined || result.pass !== isNot) return result;
  asked.message = result.message();
  // Node wrote the message into the stack when there was none yet.
  asked.stack = `Error: ${asked.message}\n${(asked.stack ?? '').split('\n').slice(1).join('\n')}`;
  throw fromTest(asked);
}

/** Jest takes a line "at file:1:2" for the beginning of the JavaScript stack and moves it away. */
function forJest(text: string): string {
  return text.replace(/^(\s*)at (?=.*:\d+:\d+)/gm, '$1place: ');
}

/** Puts the matchers into this test file's `expect`. Nothing happens outside Jest. */
export function installMatchers(): void {
  const expect = jestGlobals()?.expect;
  if (!expect) return;
  expect.extend({ toBeVerified, toBeAdequatelyTested });
  installHooks();
}

installMatchers();
