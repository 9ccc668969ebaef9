/** One object for two parameters, as in `append(text, text)`: clients may unless a precondition says otherwise. */
import { printType } from '../../../c/printType';
import { withoutQualifiers } from '../../../c/target';
import { mayShareObject } from '../../../evidence/scenarios/restrictArguments';
import type { Argument, Call } from '../../../evidence/scenarios/scenario';

/** The call with one of its objects for two parameters of the same type, in each way. `at`: number of the call. */
export function passedTwice({ fn, arguments: given }: Call, at: number): readonly Call[] {
  const targets = fn.parameters.map(({ ctype }, i) => {
    const isObject = given[i]!.kind === 'object' || given[i]!.kind === 'earlier';
    return isObject && ctype?.kind === 'pointer' ? printType(withoutQualifiers(ctype.to)) : undefined;
  });
  return given.flatMap((argument, second) =>
    given.slice(0, second).flatMap((other, first) => {
      if (targets[first] === undefined || targets[first] !== targets[second]) return [];
      if (!mayShareObject(fn.parameters[first]!, fn.parameters[second]!)) return [];
      return [other, argument].flatMap((object): Call[] => {
        const repeated: Argument = object.kind === 'earlier' ? object : { kind: 'earlier', call: at, argument: first };
        // The second parameter may refer to an argument between the two.
        const isMovable = object !== argument || object.kind !== 'earlier' || object.call < at;
        return isMovable ? [{ fn, arguments: given.with(first, object).with(second, repeated) }] : [];
      });
    }),
  );
}
