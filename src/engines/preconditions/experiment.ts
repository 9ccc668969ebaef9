/** Experiments with a failing client, run once more with one thing changed: does the failure hang on it? */
import { faultOf, type ScenarioRun } from '../../evidence/scenarios/scenario';
import { failsAlike, type Fault } from '../../semantics/concrete/fault';

/** The changed client can be run, comes to the call `failing`, and does not fail like the other. */
export function endsFailure(run: ScenarioRun | undefined, fault: Fault, failing = 0): run is ScenarioRun {
  const again = faultOf(run);
  return run !== undefined && run.last >= failing && !(again && failsAlike(again, fault));
}
