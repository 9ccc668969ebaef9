/** Checks of a module that stay open with facts about reachability alone, or about all nodes. */
import { HeapCandidates } from '../../../src/abstraction/candidates/heapInvariants';
import { relevanceOf } from '../../../src/abstraction/candidates/observables';
import { ReachabilityCandidates } from '../../../src/abstraction/candidates/lists/reachabilityCandidates';
import { ConcreteView } from '../../../src/abstraction/transitionSystem/concreteView';
import type { Cutpoint } from '../../../src/abstraction/transitionSystem/cutpoint';
import { noInvariants } from '../../../src/abstraction/transitionSystem/invariantMap';
import {
  plainOptions,
  TransitionSystem,
  type SystemOptions,
} from '../../../src/abstraction/transitionSystem/transitionSystem';
import { houdini } from '../../../src/engines/invariants/houdini';
import { askedIn, certifyChecks } from '../../../src/evidence/certificates/certify';
import type { Term } from '../../../src/logic/term';
import { loadProgram } from '../../../src/program';
import type { Property } from '../../../src/program/command';
import { Machine } from '../../../src/semantics';
import type { Activation } from '../../../src/semantics/concrete/machine';
import type { Solver } from '../../../src/solver/solver';
import { file } from '../task';

const query = { timeoutMs: 300_000 };

/** Checks that stay open, with the lists that the calls make as the only samples. */
export async function openChecks(
  text: string,
  calls: readonly (readonly [string, ...number[]])[],
  solver: Solver,
  tried: 'all' | 'with lengths' | 'with sizes' | 'with numbers' | 'shapes' | 'none' = 'all',
  properties: readonly Property[] = ['reach', 'memsafety'],
): Promise<string[]> {
  const program = loadProgram([file(text)], {
    separatesAllBut: new Set(),
    alignsAllBut: new Set(),
    ...(properties.includes('leak') && { keepsBlocks: 'external linkage' as const }),
  });
  const options: SystemOptions = {
    ...plainOptions,
    mode: 'module',
    entries: program.functions.filter(({ linkage, library }) => linkage === 'external' && !library),
    checkedProperties: new Set(properties),
  };
  const system = new TransitionSystem(program, options);
  const facts = new ReachabilityCandidates(system, relevanceOf(system));
  const objects = tried === 'shapes' ? new HeapCandidates(system) : undefined;
  const machine = new Machine(program);
  const look = (point: (typeof system.points)[number], activation: Activation | undefined): void => {
    const { globals, memory, activations } = machine;
    const view = new ConcreteView(system.vocabulary, { globals, memory, activation, activations });
    facts.record(point, view, machine);
    objects?.record(point, view, machine);
  };
  machine.observer = { locations: system.watched, visit: (location, at) => look(system.at(location)!, at) };
  for (const [name, ...args] of calls) {
    look(system.client!, undefined);
    const outcome = machine.call(program.functionByName.get(name)!, args);
    expect(outcome.kind === 'fault' ? outcome.fault.check : outcome.kind).toBe('returned');
  }
  const candidates = new Map(
    system.points.map((point) => [
      point,
      [
        ...(tried === 'none' || objects ? [] : facts.candidates(point)),
        ...(objects?.shapes(point) ?? []),
        ...(tried === 'with lengths' ? facts.lengths(point) : []),
        ...(tried === 'with sizes' ? facts.sizes(point) : []),
        ...(tried === 'with numbers' ? facts.numbers(point) : []),
      ],
    ]),
  );
  return openWith(system, candidates, solver);
}

/** Checks that stay open with the largest inductive part of the candidates, as the certifier finds it. */
export async function openWith(
  system: TransitionSystem,
  candidates: ReadonlyMap<Cutpoint, readonly Term[]>,
  solver: Solver,
): Promise<string[]> {
  const invariants = await houdini(system, noInvariants, candidates, solver, {
    query,
    stop: () => false,
    patience: 20,
  });
  const certificate = new Map(
    system.points.map(({ key }) => [
      key,
      { invariants: invariants!.get(key) ?? [], predicates: [], states: [['', ['']]] as const },
    ]),
  );
  const result = await certifyChecks(system.program, system.options, certificate, solver, () => query);
  if (result.kind !== 'certified') throw new Error(result.why);
  return askedIn(system)
    .filter((check) => !result.checks.has(check))
    .map(({ check, text: at }) => `${check} ${at}`);
}
