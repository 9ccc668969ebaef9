/**
 * A sequence of client steps as a Jest test in the user's own API: plain numbers, strings and structs. Run alone it
 * fails at the same C line, and passes once the C is repaired. `play` does the steps on a module, so that what is
 * printed can be tried first.
 */
import type { ClientStep, ClientValue, Failure, ReportedEffects, Plain, PointerStep } from '../../verdict';
import { formatOrder, isOrderInput } from '../../program/orderInput';
import { asFunction, functionPart, mapFunctions } from '../../plainFunction';
import { unreachable } from '../../unreachable';
import type { ModuleInstance } from '../module';
import { isPointer, type Pointer } from '../pointer';
import { reservedWords } from './reservedWords';

/**
 * `moduleName` is the variable that holds the module; `functions` the C functions it has, which hide the handle's own
 * names (`reset` is then `$reset`). An `input` step comes before the call that asks for it.
 */
export function printTest(
  steps: readonly ClientStep[],
  moduleName: string,
  failure: Pick<Failure, 'message' | 'place'>,
  functions: readonly string[] = [],
): string {
  return printSteps(
    title(steps, failure),
    steps,
    moduleName,
    functions,
    (call, step) => `${call};${step.result === undefined ? '' : ` // ${literal(step.result)}`}`,
  );
}

/** A test that says what the calls returned, where that is a number. */
export function printObservation(
  testTitle: string,
  steps: readonly ClientStep[],
  moduleName: string,
  functions: readonly string[] = [],
): string {
  return printSteps(testTitle, steps, moduleName, functions, (call, step) =>
    step.result === undefined ? `${call};` : `expect(${call}).toBe(${literal(step.result)});`,
  );
}

function printSteps(
  testTitle: string,
  steps: readonly ClientStep[],
  moduleName: string,
  functions: readonly string[],
  line: (call: string, step: Extract<ClientStep, { kind: 'call' }>) => string,
): string {
  const own = (name: string) => `${moduleName}.${functions.includes(name) ? '$' : ''}${name}`;
  const names = new Set([moduleName]);
  const objects = new Map<string, string>();
  const lines = runsOf(withoutUsualAnswers(steps)).map(({ step, times }) => {
    switch (step.kind) {
      case 'call': {
        const given = step.arguments.map((value) => argument(value, objects)).join(', ');
        const name = step.name === undefined ? undefined : fresh(step.name, names);
        if (name !== undefined) objects.set(step.name!, name);
        const called = `${member(moduleName, step.function)}(${given})`;
        const call = step.structure === undefined ? called : `${own('alloc')}(${quote(step.structure)}, ${called})`;
        return name === undefined ? line(call, step) : `const ${name} = ${call};`;
      }
      case 'allocate': {
        const name = fresh(step.name, names);
        objects.set(step.name, name);
        return (
          `const ${name} = ${own('alloc')}(${quote(step.type)}` +
          `${step.value === undefined ? '' : `, ${literal(withNames(step.value, objects))}`});`
        );
      }
      case 'function': {
        const name = fresh(step.name, names);
        objects.set(step.name, name);
        return (
          `const ${name} = () => ` +
          `${usualAnswer(step.type) === undefined ? '{}' : literal(usualAnswer(step.type) ?? null)};`
        );
      }
      case 'input': {
        if (step.written) return `${own('global')}.${step.function} = ${literal(step.value)};`;
        if (isOrderInput(step.function))
          return `// C allows this: ${formatOrder(step.function, step.value)}. Tests may do otherwise.`;
        const answer = step.does ? printStub(step.does, step.value, moduleName, own) : literal(step.value);
        return (
          `${own('answer')}(${quote(step.function)}, ` +
          `${times > 1 ? `...Array(${times}).fill(${answer})` : answer});`
        );
      }
      default:
        return unreachable(step);
    }
  });
  return [
    `test(${quote(testTitle)}, () => {`,
    `  ${own('reset')}();`,
    ...inLoops(lines, () => fresh('i', names)).map((line) => `  ${line}`),
    '});',
    '',
  ].join('\n');
}

/** From so many on, answers that are the same are said at once. */
const manyAnswers = 6;

function runsOf(steps: readonly ClientStep[]): { readonly step: ClientStep; readonly times: number }[] {
  const runs: { step: ClientStep; times: number }[] = [];
  for (const step of steps) {
    const last = runs[runs.length - 1];
    if (
      last?.step.kind === 'input' &&
      step.kind === 'input' &&
      !step.does &&
      !last.step.does &&
      step.function === last.step.function &&
      typeof step.value !== 'object' &&
      step.value === last.step.value
    )
      last.times++;
    else runs.push({ step, times: 1 });
  }
  return runs.flatMap((run) =>
    run.times < manyAnswers ? Array.from({ length: run.times }, () => ({ step: run.step, times: 1 })) : [run],
  );
}

const loops = {
  /** Rounds from which on steps that repeat are a loop. */
  rounds: 6,
  /** Lines of the longest body. */
  lines: 8,
} as const;

/** Lines that repeat, as a loop: a full buffer takes as many calls as it has places. */
function inLoops(lines: readonly string[], variable: () => string): string[] {
  const printed: string[] = [];
  for (let at = 0; at < lines.length;) {
    const loop = loopAt(lines, at);
    if (loop === undefined) {
      printed.push(lines[at]!);
      at += 1;
      continue;
    }
    const body = lines.slice(at, at + loop.lines);
    const i = variable();
    const head = `for (let ${i} = 0; ${i} < ${loop.rounds}; ${i}++)`;
    printed.push(
      ...(body.length === 1 && !body[0]!.startsWith('//')
        ? [`${head} ${body[0]!}`]
        : [`${head} {`, ...body.map((line) => `  ${line}`), '}']),
    );
    at += loop.lines * loop.rounds;
  }
  return printed;
}

/** The shortest body that repeats from a line on. What a body declares would be hidden from the lines behind it. */
function loopAt(lines: readonly string[], at: number): { readonly lines: number; readonly rounds: number } | undefined {
  for (let length = 1; length <= loops.lines && !lines[at + length - 1]?.startsWith('const '); length++) {
    let end = at + length;
    while (end < lines.length && lines[end] === lines[end - length]) end += 1;
    const rounds = Math.floor((end - at) / length);
    if (rounds >= loops.rounds) return { lines: length, rounds };
  }
  return undefined;
}

/** Does the steps from the initial state; answers with the error of the step that failed, if one did. */
export function play(
  instance: ModuleInstance,
  steps: readonly ClientStep[],
  report: (step: number, value: unknown) => void = () => {},
): unknown {
  instance.reset();
  const objects = new Map<string, unknown>();
  const given = (plain: Plain): unknown =>
    mapFunctions(plain, ({ name, index }) => elementOf(objects.get(name), index));
  const value = (v: ClientValue): unknown =>
    v.kind === 'value' ? given(v.value) : elementOf(objects.get(v.name), v.index ?? 0);
  try {
    for (const [index, step] of steps.entries()) {
      switch (step.kind) {
        case 'call': {
          const returned = instance.fn(step.function)(...step.arguments.map(value));
          const result = step.structure === undefined ? returned : instance.alloc(step.structure, returned);
          if (step.name !== undefined) objects.set(step.name, result);
          report(index, result);
          break;
        }
        case 'allocate':
          objects.set(step.name, instance.alloc(step.type, step.value === undefined ? undefined : given(step.value)));
          break;
        case 'function':
          objects.set(step.name, () => usualAnswer(step.type));
          break;
        case 'input':
          if (step.written) write(instance, step.function, step.value);
          else
            instance.answer(
              step.function,
              step.does ? stubOf(step.function, step.does, step.value, instance) : step.value,
            );
          break;
        default:
          unreachable(step);
      }
    }
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Writes a variable, a member or an element: `config.limits[2]`. */
function write(instance: ModuleInstance, name: string, value: Plain): void {
  const path = name.match(/\w+/g)!;
  let within: Record<string, unknown> = instance.global;
  for (const part of path.slice(0, -1)) within = within[part] as Record<string, unknown>;
  within[path.at(-1)!] = value;
}

const elementOf = (made: unknown, index: number): unknown => (index === 0 ? made : (made as Pointer).at(index));

/** The last answers of the client's own functions are left out where the functions give them anyway. */
function withoutUsualAnswers(steps: readonly ClientStep[]): readonly ClientStep[] {
  const types = new Set(steps.flatMap((step) => (step.kind === 'function' ? [step.type] : [])));
  const told = new Set<string>();
  return [...steps]
    .reverse()
    .filter((step) => {
      if (step.kind !== 'input' || !types.has(step.function) || told.has(step.function)) return true;
      if (!step.does && step.value === usualAnswer(step.function)) return false;
      told.add(step.function);
      return true;
    })
    .reverse();
}

/** Answer of a function of which nothing is said: `type` is that of a pointer to it, as C. */
function usualAnswer(type: string): Plain | undefined {
  const result = type.slice(0, type.indexOf('(*)')).trimEnd();
  return result === 'void' ? undefined : result.endsWith('*') ? null : 0;
}

/** `(p) => { p.write(1); return 0; }` */
function printStub(
  { parameters, answers, effects }: ReportedEffects,
  value: Plain,
  moduleName: string,
  own: (name: string) => string,
): string {
  const names = new Set([moduleName]);
  const given = parameters.map((name) => fresh(name, names));
  const done = effects.map(({ stub }) => {
    switch (stub?.kind) {
      case 'write':
        return `${given[stub.parameter]!}${stub.steps.map(printStep).join('')}.write(${literal(stub.value)});`;
      case 'set':
        return (
          (isIdentifier(stub.variable)
            ? `${own('global')}.${stub.variable}`
            : `${own('global')}[${quote(stub.variable)}]`) + ` = ${literal(stub.value)};`
        );
      case 'call':
        return `${member(moduleName, stub.function)}(${stub.arguments.map(literal).join(', ')});`;
      case undefined:
        throw new Error('a test is printed only when it can be played');
      default:
        return unreachable(stub);
    }
  });
  return `(${given.join(', ')}) => { ${[...done, ...(answers ? [`return ${literal(value)};`] : [])].join(' ')} }`;
}

function printStep(step: PointerStep): string {
  switch (step.kind) {
    case 'at':
      return `.at(${step.index})`;
    case 'field':
      return `.field(${quote(step.name)})`;
    case 'as':
      return `.as(${quote(step.type)})`;
    default:
      return unreachable(step);
  }
}

function stubOf(
  name: string,
  { answers, effects }: ReportedEffects,
  value: Plain,
  instance: ModuleInstance,
): (...given: readonly unknown[]) => unknown {
  const stubs = effects.map(({ stub, text }) => stub ?? otherwise(`${name}: no stub can do ${text}`));
  return (...given) => {
    for (const stub of stubs) {
      switch (stub.kind) {
        case 'write':
          follow(given[stub.parameter], stub.steps).write(stub.value);
          break;
        case 'set':
          instance.global[stub.variable] = stub.value;
          break;
        case 'call':
          instance.fn(stub.function)(...stub.arguments);
          break;
        default:
          unreachable(stub);
      }
    }
    return answers ? value : undefined;
  };
}

function follow(given: unknown, steps: readonly PointerStep[]): Pointer {
  if (!isPointer(given)) return otherwise('an argument is no pointer');
  return steps.reduce((pointer, step) => {
    switch (step.kind) {
      case 'at':
        return pointer.at(step.index);
      case 'field':
        return pointer.field(step.name);
      case 'as':
        return pointer.as(step.type);
      default:
        return unreachable(step);
    }
  }, given);
}

function otherwise(why: string): never {
  throw new Error(why);
}

function title(steps: readonly ClientStep[], { message, place }: Pick<Failure, 'message' | 'place'>): string {
  const last = steps.filter((step) => step.kind === 'call').at(-1);
  const file = place.file.slice(Math.max(place.file.lastIndexOf('/'), place.file.lastIndexOf('\\')) + 1);
  return (
    `${last ? `${last.function} ` : ''}does not fail at ${file}:${place.line} ` +
    `(${message.replace(/\s+/g, ' ').trim()})`
  );
}

function argument(value: ClientValue, objects: ReadonlyMap<string, string>): string {
  return value.kind === 'value'
    ? literal(withNames(value.value, objects))
    : `${nameOf(value.name, objects)}${printIndex(value.index ?? 0)}`;
}

const printIndex = (index: number): string => (index === 0 ? '' : `.at(${index})`);

function nameOf(wanted: string, objects: ReadonlyMap<string, string>): string {
  const name = objects.get(wanted);
  if (name === undefined) throw new Error(`a step uses the object ${wanted}, which no earlier step makes`);
  return name;
}

const withNames = (value: Plain, objects: ReadonlyMap<string, string>): Plain =>
  mapFunctions(value, ({ name, index }) => functionPart(nameOf(name, objects), index));

/** As JavaScript. */
export function literal(value: Plain): string {
  if (value === null) return 'null';
  switch (typeof value) {
    case 'bigint':
      return `${value}n`;
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value);
    case 'boolean':
      return String(value);
    case 'string':
      return quote(value);
    case 'object': {
      const fn = asFunction(value);
      if (fn) return `${fn.name}${printIndex(fn.index)}`;
      if (Array.isArray(value)) return `[${value.map((item) => literal(item as Plain)).join(', ')}]`;
      return `{ ${Object.entries(value)
        .map(([name, item]) => `${isIdentifier(name) ? name : quote(name)}: ${literal(item as Plain)}`)
        .join(', ')} }`;
    }
    default:
      return unreachable(value);
  }
}

function member(object: string, name: string): string {
  return isIdentifier(name) ? `${object}.${name}` : `${object}[${quote(name)}]`;
}

function fresh(wanted: string, used: Set<string>): string {
  const base = isIdentifier(wanted) && !reservedWords.has(wanted) ? wanted : `object${used.size}`;
  let name = base;
  for (let n = 2; used.has(name); n++) name = `${base}${n}`;
  used.add(name);
  return name;
}

const isIdentifier = (text: string): boolean => /^[A-Za-z_$][\w$]*$/.test(text);

function quote(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replace(/\\"/g, '"').replace(/'/g, "\\'")}'`;
}
