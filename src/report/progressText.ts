/** Current step of a proof, on one line: the same words on the command line, in Jest and in the editor. */
import { stepText, type Progress } from '../progress';

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

const seconds = (milliseconds: number): string => `${Math.round(milliseconds / 1000)} s`;
