/** Current step of a proof, on one line: the same words in every place where somebody waits. */
import { basename } from 'node:path';
import type { Progress } from '../progress';

export interface Waiting {
  readonly subject: string;
  readonly progress: Progress | undefined;
  readonly elapsedMs: number;
  readonly budgetMs: number;
}

export function progressText({ subject, progress, elapsedMs, budgetMs }: Waiting): string {
  const elapsed = `${seconds(elapsedMs)} of ${seconds(budgetMs)}`;
  return `${subject}: ${progress === undefined ? 'starting' : stepText(progress)}, ${elapsed}`;
}

/** Without the time. */
export function stepText({ phase, done, total, place }: Progress): string {
  const how =
    total === 0 ? '' : phase === 'execution' ? `, stage ${done + 1} of ${total}` : `, ${done}/${total} obligations`;
  return `${phase}${how}${place ? `, at ${basename(place.file)}:${place.line}${place.function === undefined ? '' : ` in ${place.function}`}` : ''}`;
}

const seconds = (milliseconds: number): string => `${Math.round(milliseconds / 1000)} s`;
