/** More than one watcher of a machine. */
import type { Location } from '../program/program';
import { mostPassed, type Activation, type Machine, type Observer } from './machine';

/**
 * Watches some locations beside whoever watches the machine already. Each is told of the arrivals it asked for: one that passes over some of
 * them is left alone meanwhile, and where both pass, the machine reports nothing.
 */
export function alsoWatch(machine: Machine, locations: Iterable<Location>, visit: (location: Location, activation: Activation) => void, skip?: (location: Location) => number): void {
  const other = machine.observer;
  const own: Observer = { locations: new Set(locations), visit, ...(skip && { skip }) };
  machine.observer = other ? together([own, other]) : own;
}

interface Watcher {
  readonly observer: Observer;
  /** Arrivals that it still passes over. */
  readonly passing: Map<Location, number>;
}

function together(observers: readonly Observer[]): Observer {
  const watchers = observers.map((observer): Watcher => ({ observer, passing: new Map() }));
  /** Arrivals since the last report that all passed over. */
  const passed = new Map<Location, number>();
  return {
    locations: new Set(observers.flatMap((observer) => [...observer.locations])),
    visit: (location, activation) => {
      const missed = passed.get(location) ?? 0;
      for (const { observer, passing } of watchers) {
        if (!observer.locations.has(location)) continue;
        const left = (passing.get(location) ?? 0) - missed;
        if (left > 0) {
          passing.set(location, left - 1);
          continue;
        }
        observer.visit(location, activation);
        passing.set(location, observer.skip?.(location) ?? 0);
      }
    },
    skip: (location) => {
      const least = Math.min(mostPassed, ...watchers.map(({ observer, passing }) => (observer.locations.has(location) ? passing.get(location) ?? 0 : Infinity)));
      passed.set(location, least);
      return least;
    },
    restarted: () => {
      passed.clear();
      for (const { observer, passing } of watchers) {
        passing.clear();
        observer.restarted?.();
      }
    },
  };
}
