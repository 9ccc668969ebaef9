/** Loops that no statement of the program draws. */
import type { Span } from '../../c/source';
import type { DraftLocation } from '../automata/draft';
import type { FunctionLowering } from './context';

/** Rounds of `round`, until it goes to the location behind the loop. */
export function drawLoop(f: FunctionLowering, span: Span, round: (leave: () => DraftLocation) => void): void {
  const [head, after] = [f.draft.location(span), f.draft.location()];
  head.loop = span;
  f.draft.goTo(head, span);
  f.draft.startAt(head);
  f.openLoops++;
  round(() => after);
  f.openLoops--;
  f.draft.goTo(head, span);
  f.draft.startAt(after);
}
