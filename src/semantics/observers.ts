/** More than one watcher of a machine. */
import type { Location } from '../program/program';
import type { Activation, Machine } from './machine';

/** Watches some locations beside whoever watches the machine already. */
export function alsoWatch(machine: Machine, locations: Iterable<Location>, visit: (location: Location, activation: Activation) => void): void {
  const other = machine.observer;
  const own = new Set(locations);
  if (!other) {
    machine.observer = { locations: own, visit };
    return;
  }
  machine.observer = {
    locations: new Set([...own, ...other.locations]),
    visit: (location, activation) => {
      if (own.has(location)) visit(location, activation);
      if (other.locations.has(location)) other.visit(location, activation);
    },
  };
}
