/**
 * Variables that no file defines. Their contents are inputs: others may write them whenever none of the program's own
 * code runs, and code that clients do not call does not run.
 *
 * - In a program the entry reads all of them when it starts.
 * - In a module a function of its own, which clients call at any time, stands for the others that write. It gives what
 *   is `const` a value only before the first call.
 * - If one function is called first and once, all contents are read there, too.
 */
import type { Span } from '../../../c/source';
import { isUnchanging, type FunctionType } from '../../../c/types';
import { compare, integer, read } from '../../build';
import { int8, type Variable } from '../../expression';
import type { LinkedVariable } from '../../linking/link';
import type { FunctionDefinition, GlobalVariable, StaticObject } from '../../program';
import { branch, type FunctionLowering } from '../context';
import type { EntryNames } from '../lowerOptions';
import { memoryPlace, objectAddress, type LvalueAddress } from './address';
import { inputContents, partInput } from './structureInput';

/** Functions of clients, and the one among them that starts the program or the module; absent: any of them does. */
export interface StartOfClients {
  readonly entries: EntryNames;
  readonly first?: string;
  readonly mode: 'program' | 'module';
}

export interface VariableElsewhere {
  readonly linked: LinkedVariable;
  readonly home: Variable | StaticObject;
}

export interface DefinedElsewhere {
  readonly variables: readonly VariableElsewhere[];
  readonly clients: StartOfClients;
  /** Not 0 when a function of the program has started. */
  readonly started: Variable;
}

/** Adds the flag to the globals. */
export function definedElsewhere(
  variables: readonly VariableElsewhere[],
  clients: StartOfClients,
  globals: GlobalVariable[],
): DefinedElsewhere | undefined {
  const [some] = variables;
  if (!some) return undefined;
  const started: Variable = {
    kind: 'variable',
    scope: 'global',
    slot: globals.length,
    name: '<a function has started>',
    type: int8,
    temporary: false,
  };
  globals.push({ variable: started, initial: undefined, visible: false, span: some.linked.span });
  return { variables, clients, started };
}

/** Variables that others may write between the calls of clients. */
export const writtenByOthers = ({ variables, clients }: DefinedElsewhere): readonly VariableElsewhere[] =>
  clients.mode === 'program'
    ? []
    : variables.filter(({ linked }) => clients.first === undefined || !isUnchanging(linked.type));

/** Called where a function begins. */
export function startWithUnknown(f: FunctionLowering, fn: FunctionDefinition, span: Span): void {
  const { elsewhere } = f.program;
  if (!elsewhere) return;
  const {
    clients: { entries, first },
    started,
    variables,
  } = elsewhere;
  if (fn.name === first)
    whileNotStarted(f, started, span, () => variables.forEach((one) => readContents(f, one, span)));
  const isEntry = entries === 'external linkage' ? fn.linkage === 'external' && !fn.library : entries.has(fn.name);
  if (isEntry || fn.name === first) f.emit({ kind: 'assign', target: started, value: integer(1, int8) }, span);
}

/** The body of the function that stands for the others that write. */
export function writeContents(f: FunctionLowering, started: Variable, one: VariableElsewhere): void {
  const { span } = one.linked;
  readContents(f, one, span, (give) => whileNotStarted(f, started, span, give));
}

export const writerType: FunctionType = {
  kind: 'function',
  result: { kind: 'void' },
  parameters: [],
  variadic: false,
  unprototyped: false,
};

function whileNotStarted(f: FunctionLowering, started: Variable, span: Span, body: () => void): void {
  const [begins, after] = [f.draft.location(span), f.draft.location(span)];
  branch(f, compare('eq', read(started), integer(0, int8)), begins, after, span);
  f.draft.startAt(begins);
  body();
  f.draft.goTo(after, span);
  f.draft.startAt(after);
}

/** `constants`: called with what gives the constant parts their contents. */
function readContents(
  f: FunctionLowering,
  { linked, home }: VariableElsewhere,
  span: Span,
  constants: (give: () => void) => void = (give) => give(),
): void {
  if (home.kind === 'variable') {
    const give = (): void => f.assign(home, partInput(f, linked.name, linked.type, span), span);
    return isUnchanging(linked.type) ? constants(give) : give();
  }
  // Nothing is checked: whoever defines a constant gives it its value.
  const address: LvalueAddress = { ...objectAddress(home), root: { kind: 'trusted' } };
  const refusal = inputContents(f, memoryPlace(address, linked.type), linked.name, span, constants);
  if (refusal !== undefined)
    f.reportUnsupported(`'${linked.name}' is defined in no file and has ${refusal}, each of them an input`, span);
}
