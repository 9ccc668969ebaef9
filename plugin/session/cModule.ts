/**
 * One `loadC`: the interpreter's instance, the user's predicates and the task that a proof of it is. Each call of
 * `loadC` makes its own, even for the same file with the same options: states, logs, probes and verdicts are never
 * shared.
 */
import { basename, relative } from 'node:path';
import { ModuleInstance } from '../../src/host/module';
import { initialisersOf, type InitialisedBy } from '../../src/evidence/scenarios/structures/setUpFunctions';
import { membersOf, type ValidPointers } from '../../src/evidence/scenarios/structures/validPointers';
import { argumentScope, scopeOf } from '../../src/host/probeScope';
import { environmentOf, filesBelow, hostEnvironmentOf } from '../../src/host/hostEnvironment';
import { closest } from '../../src/host/suggest';
import { defaultProperties } from '../../src/program/command';
import type { FunctionDefinition, Program } from '../../src/program/program';
import { defaultBudgetMs, type LoadOptions, type Probe, type Requirement, type Task } from '../../src/task';
import type { CallSite } from '../api/callSite';
import { evaluateProbe } from '../probes/evaluateProbe';
import { changedCapture, compilePredicate, disagreement, inState, type ModulePredicate } from '../probes/probes';
import { currentTestPath } from '../runners/jest';
import { variableAt } from '../probes/probeSource';
import { seedVariable, type ModuleIdentity } from './records';
import { inOneOrder } from './runOrder';
import type { LoadCOptions, Predicate, ProbeOptions, VerifyOptions } from '../api/types';

const mark = Symbol.for('provest.module');

interface NamedProbe {
  readonly name: string;
  readonly in: string | undefined;
  readonly predicate: ModulePredicate;
}

/** Names the module of a `loadC`, also where the C cannot be read. */
export function identityOf(files: readonly string[], site: CallSite | undefined): ModuleIdentity {
  return {
    module: files.map((file) => relative(process.cwd(), file)).join(', '),
    testFile: relative(process.cwd(), currentTestPath() ?? site?.file ?? ''),
    line: site?.line ?? 0,
  };
}

/** About calls of one function. */
interface ConditionOfCalls {
  readonly function: string;
  readonly predicate: ModulePredicate;
  readonly said: Requirement['said'];
}

const requirementOf = ({ function: name, predicate: { formula }, said }: ConditionOfCalls): Requirement => ({
  function: name,
  formula,
  ...(said && { said }),
});

export class CModule {
  readonly instance: ModuleInstance;
  /** "stack.c": for messages. */
  readonly name: string;
  /** Files of the host that C has named. */
  private readonly fetched: Record<string, Uint8Array> = {};
  private readonly probes: NamedProbe[] = [];
  private readonly initialisedBy: readonly InitialisedBy[];
  private readonly validPointers: readonly ValidPointers[];
  private readonly requires: readonly ConditionOfCalls[];
  private readonly possible: readonly ConditionOfCalls[];
  /** Options of the last request for the verdict. */
  asked: VerifyOptions | undefined;
  /** The first state on which a predicate's formula and function disagreed. */
  private dispute: string | undefined;

  constructor(
    readonly program: Program,
    readonly files: readonly string[],
    readonly load: LoadOptions,
    private readonly options: LoadCOptions,
    readonly site: CallSite | undefined,
  ) {
    this.name = files.map((file) => basename(file)).join(', ');
    const { init, entry } = options;
    if (init !== undefined && !ownFunctions(program).some((fn) => fn.name === init)) {
      throw new TypeError(
        `init: ${this.name} defines no function '${init}'${closest(
          init,
          ownFunctions(program).map((fn) => fn.name),
        )}`,
      );
    }
    this.instance = new ModuleInstance(program, {
      name: this.name,
      ...(entry && { entry: init === undefined || entry.includes(init) ? entry : [...entry, init] }),
      ...(options.stubs && { stubs: options.stubs }),
      environment: environmentOf(
        hostEnvironmentOf(options),
        options.hostFiles === undefined
          ? undefined
          : filesBelow(options.hostFiles, (path, content) => {
              this.fetched[path] ??= content;
            }),
      ),
      ...(options.stepLimit !== undefined && { stepLimit: options.stepLimit }),
    });
    if (this.instance.functionNames.length === 0) {
      throw new TypeError(
        `${this.name} has no entry functions: it defines ` +
          `${ownFunctions(program).length === 0 ? 'no function' : 'only static ones'}. ` +
          'A client needs something to call: ' +
          (ownFunctions(program).length === 0
            ? 'load the file that defines the functions'
            : `name some in loadC(…, { entry: ['${ownFunctions(program)[0]!.name}'] })`) +
          '.',
      );
    }
    this.requires = this.conditionsOfCalls('requires');
    this.possible = this.conditionsOfCalls('possible');
    this.initialisedBy = Object.entries(options.initialisedBy ?? {}).map(([type, functions]) => ({
      type,
      functions: typeof functions === 'string' ? [functions] : functions,
    }));
    initialisersOf(program, ownFunctions(program), this.initialisedBy);
    this.validPointers = Object.entries(options.validPointers ?? {}).map(([type, members]) => ({
      type,
      members: typeof members === 'string' ? [members] : members,
    }));
    membersOf(program, this.validPointers);
    this.instance.boundary = {
      before: (fn, state) => this.checkRequirements(fn, state),
      after: () => this.compareOnState(),
    };
  }

  probe(name: string, predicate: Predicate, options: ProbeOptions, site: CallSite | undefined): void {
    if (typeof name !== 'string' || name === '')
      throw new TypeError("probe: give it a name first, stack.probe('full', (s) => s.size === s.max)");
    const fn = options.in === undefined ? undefined : this.function(options.in, `probe '${name}'`);
    const same = this.probes.find((probe) => probe.name === name && probe.in === options.in);
    const compiled = compilePredicate({
      what: `probe '${name}'`,
      predicate,
      site,
      scope: scopeOf(this.program, this.name, fn),
      enumConstants: this.program.enumConstants,
      pick: () => true,
      ...(options.constants && { constants: options.constants }),
    });
    if (same && JSON.stringify(same.predicate.formula) !== JSON.stringify(compiled.formula))
      throw new TypeError(`probe '${name}' is already there with another meaning; choose another name`);
    if (!same) this.probes.push({ name, in: options.in, predicate: compiled });
    this.compareOnState();
  }

  /** Why no proof should be started: something about the predicates is wrong. */
  objection(): string | undefined {
    if (this.dispute !== undefined) return this.dispute;
    for (const predicate of this.predicates) {
      const changed = changedCapture(predicate);
      if (changed !== undefined) return changed;
    }
    return undefined;
  }

  /** `adequacy`: the abstract states are wanted, also if invariants alone prove it. */
  task(options: VerifyOptions, { adequacy = false }: { readonly adequacy?: boolean } = {}): Task {
    const { entry, init, stubs, budget } = this.options;
    return {
      files: this.files,
      load: this.load,
      mode: 'module',
      ...(this.variable !== undefined && { variable: this.variable }),
      ...(entry && { entries: entry }),
      ...(init !== undefined && { init }),
      ...(this.initialisedBy.length > 0 && { initialisedBy: this.initialisedBy }),
      ...(this.validPointers.length > 0 && { validPointers: this.validPointers }),
      ...(this.requires.length > 0 && { requires: this.requires.map(requirementOf) }),
      ...(this.possible.length > 0 && { possible: this.possible.map(requirementOf) }),
      ...(stubs && { stubs: Object.keys(stubs) }),
      probes: this.probes.map((probe): Probe => ({
        name: probe.name,
        formula: probe.predicate.formula,
        origin: probe.predicate.site ? `${probe.predicate.site.file}:${probe.predicate.site.line}` : 'unknown',
        ...(probe.in !== undefined && { function: probe.in }),
      })),
      runs: inOneOrder(this.instance.runs.filter((run) => run.length > 0)),
      hostEnvironment: hostEnvironmentOf({ ...this.options, files: { ...this.fetched, ...this.options.files } }),
      properties: options.properties ?? defaultProperties,
      ...(options.callBacks !== undefined && { callBacks: options.callBacks }),
      ...(options.cutpoints && { cutpoints: options.cutpoints }),
      ...(options.predicates && { predicates: options.predicates }),
      ...(adequacy && { adequacy }),
      engine: options.engine ?? 'auto',
      ...((options.generalize ?? options.escalate) !== undefined && {
        refinement: {
          ...(options.generalize && { generalize: options.generalize }),
          ...(options.escalate !== undefined && { escalate: options.escalate }),
        },
      }),
      ...(options.angelic && { angelic: true }),
      ...(options.angelicConfiguration && { angelicConfiguration: options.angelicConfiguration }),
      askedIn: 'test',
      seed: options.seed ?? runSeed() ?? 1,
      ...(options.jobs !== undefined && { jobs: options.jobs }),
      budget: {
        milliseconds: options.budget ?? budget ?? defaultBudgetMs,
        ...(options.effort !== undefined && { resourcesPerQuery: options.effort }),
      },
    };
  }

  /** Its name in the test file. */
  get variable(): string | undefined {
    return this.site && variableAt(this.site);
  }

  /** Relative to the working directory, for lines of the summary. */
  get path(): string {
    return this.identity.module;
  }

  get identity(): ModuleIdentity {
    return identityOf(this.files, this.site);
  }

  private get predicates(): readonly ModulePredicate[] {
    return [...this.probes, ...this.requires, ...this.possible].map(({ predicate }) => predicate);
  }

  private function(name: string, what: string): FunctionDefinition {
    const functions = ownFunctions(this.program);
    const fn = functions.find((other) => other.name === name);
    if (!fn)
      throw new TypeError(
        `${what}: ${this.name} defines no function '${name}'${closest(
          name,
          functions.map((other) => other.name),
        )}`,
      );
    return fn;
  }

  private conditionsOfCalls(option: 'requires' | 'possible'): readonly ConditionOfCalls[] {
    const other = option === 'requires' ? 'possible' : 'requires';
    return Object.entries(this.options[option] ?? {}).flatMap(([name, predicates]) => {
      const list = typeof predicates === 'function' || typeof predicates === 'string' ? [predicates] : predicates;
      const fn = this.function(name, option);
      return list.map((predicate, index): ConditionOfCalls => ({
        function: name,
        said:
          typeof predicate === 'string'
            ? { c: predicate }
            : { host: inOneLine(Function.prototype.toString.call(predicate)) },
        predicate: compilePredicate({
          what: `${option} of ${name}`,
          predicate,
          site: this.site,
          scope: argumentScope(this.program, this.name, fn),
          enumConstants: this.program.enumConstants,
          pick: (path, at) => path.at(-1) === name && path.at(-2) !== other && at === index,
        }),
      }));
    });
  }

  /** A client keeps to the preconditions, so a test that does not is a mistake of the test. */
  private checkRequirements(fn: FunctionDefinition, view: () => Readonly<Record<string, unknown>>): void {
    const requires = this.requires.filter((r) => r.function === fn.name);
    if (requires.length === 0) return;
    const state = view();
    for (const { predicate } of requires) {
      this.dispute ??= disagreement(predicate, state);
      if (this.dispute !== undefined) throw new TypeError(this.dispute);
      if (evaluateProbe(predicate.formula, state) === false) {
        throw new TypeError(
          `${fn.name}: this call breaks the precondition given to loadC (${predicate.what}); clients keep to it, ` +
            `so a test must. ${inState(predicate, state)}`,
        );
      }
    }
  }

  private compareOnState(): void {
    const probes = this.probes.filter((probe) => probe.in === undefined && probe.predicate.fn);
    if (probes.length === 0 || this.dispute !== undefined) return;
    const state = this.instance.stateView();
    for (const { predicate } of probes) {
      this.dispute = disagreement(predicate, state);
      if (this.dispute !== undefined) throw new TypeError(this.dispute);
    }
  }
}

/** The module behind a handle; undefined for anything else. */
export function moduleOf(handle: unknown): CModule | undefined {
  if (typeof handle !== 'object' || handle === null) return undefined;
  return (handle as Record<symbol, CModule | undefined>)[mark];
}

export { mark as moduleMark };

/** Seed of `jest --seed`; not the one that Jest draws when none is given. */
function runSeed(): number | undefined {
  const said = process.env[seedVariable];
  return said === undefined ? undefined : Number(said);
}

function ownFunctions(program: Program): readonly FunctionDefinition[] {
  return program.functions.filter((fn) => !fn.library);
}

/** Unless a comment ends with its line. */
function inOneLine(source: string): string {
  return source.includes('//') ? source : source.replace(/\s+/g, ' ');
}
