/** Several observers of one machine. */
import type { Location } from '../../program/program';
import { mostPassed, type Activation, type Machine, type Observer } from './machine';

/**
 * Adds an observer to those that the machine has. Each observer gets the visits it asked for. If all of them skip a
 * visit, the machine does not report it.
 */
export function addObserver(
  machine: Machine,
  locations: Iterable<Location>,
  visit: (location: Location, activation: Activation) => void,
  skip?: (location: Location) => number,
): void {
  const other = machine.observer;
  const own: Observer = { locations: new Set(locations), visit, ...(skip && { skip }) };
  machine.observer = other
    ? new CompositeObserver([own, ...(other instanceof CompositeObserver ? other.observers : [other])])
    : own;
}

/** Observers of one location. */
interface Watched {
  /** `left`: arrivals that the observer still passes over. */
  readonly watchers: readonly { readonly observer: Observer; left: number }[];
  /** Arrivals since the last report that all passed over. */
  passed: number;
}

class CompositeObserver implements Observer {
  readonly locations: ReadonlySet<Location>;
  private readonly watched = new Map<Location, Watched>();

  constructor(readonly observers: readonly Observer[]) {
    this.locations = new Set(observers.flatMap((observer) => [...observer.locations]));
    for (const location of this.locations) {
      this.watched.set(location, {
        watchers: observers.flatMap((observer) => (observer.locations.has(location) ? [{ observer, left: 0 }] : [])),
        passed: 0,
      });
    }
  }

  visit(location: Location, activation: Activation): void {
    const { watchers, passed } = this.watched.get(location)!;
    for (const watcher of watchers) {
      watcher.left -= passed;
      if (watcher.left > 0) {
        watcher.left--;
        continue;
      }
      watcher.observer.visit(location, activation);
      watcher.left = watcher.observer.skip?.(location) ?? 0;
    }
  }

  skip(location: Location): number {
    const watched = this.watched.get(location)!;
    let least = mostPassed;
    for (const { left } of watched.watchers) if (left < least) least = left;
    watched.passed = least;
    return least;
  }

  onRestart(): void {
    for (const watched of this.watched.values()) {
      watched.passed = 0;
      for (const watcher of watched.watchers) watcher.left = 0;
    }
    for (const observer of this.observers) observer.onRestart?.();
  }
}
