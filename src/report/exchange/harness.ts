/**
 * A bug of a program as C: a file that stands for the program's environment, so that the program compiled together with
 * it fails natively as it failed here. It defines the functions the program leaves undefined, which answer as in the
 * counterexample, and where the entry is not `main`, a `main` that calls it.
 *
 * It is a translation unit of its own and knows no prototypes: integers and pointers of any width are returned in one
 * register by the calling conventions this is meant for.
 */
import type { ClientStep, Counterexample, Plain } from '../../verdict';
import { formatOrder, isOrderInput } from '../../program/orderInput';
import { relativeTo } from '../json/json';
import { idiomsLeftOpen, type VerifierIdiom } from '../verifierIdioms';

export interface HarnessContext {
  readonly entry: string;
  /** Absolute paths of the C files, and their texts. */
  readonly files: readonly string[];
  readonly sources: readonly string[];
  readonly base: string;
  /** The name the file will have. */
  readonly name: string;
  readonly dataModel: 'lp64' | 'ilp32';
  /** Types of the floating-point numbers that functions return; of others they are guessed. */
  readonly floatResults?: ReadonlyMap<string, string>;
}

/** The text; or why C cannot say it. */
export function counterexampleToHarness(
  { failure, steps }: Counterexample,
  context: HarnessContext,
): { readonly text: string } | { readonly cannot: string } {
  const { entry, files, base, name } = context;
  const text = context.sources.join('\n');
  const inputs = new Map<string, Plain[]>();
  const notes: string[] = [];
  for (const step of steps) {
    if (step.kind !== 'input') continue;
    if (step.written) return { cannot: `${step.function} is defined in no file` };
    if (step.does?.answers === false && !/^\w+$/.test(step.function)) {
      notes.push(
        `${step.function}: ${step.does.effects.map(({ text }) => text).join(', ')}, which only chance can bring about`,
      );
      continue;
    }
    const structure = /^(\w+)\(\)/.exec(step.function)?.[1];
    if (structure !== undefined)
      return { cannot: `${structure} answers with a structure, whose type this file does not know` };
    if (step.does)
      return {
        cannot: `${step.function} does more than answer: ${step.does.effects.map(({ text }) => text).join(', ')}`,
      };
    if (isOrderInput(step.function)) notes.push(`${formatOrder(step.function, step.value)}, as the compiler chooses`);
    else if (!/^\w+$/.test(step.function))
      notes.push(
        `${step.function.replace('uninitialised ', '')} holds ${String(step.value)} before it has a value, which ` +
          'only chance can bring about',
      );
    else if (step.function === 'malloc') {
      if (step.value === 0 || step.value === null)
        notes.push('an allocation fails, which this file does not bring about');
    } else {
      const [name, value] = step.function === libraryRandom ? ['rand', drawn(step.value)] : [step.function, step.value];
      inputs.set(name, [...(inputs.get(name) ?? []), value]);
    }
  }
  const call = steps.find((step) => step.kind === 'call');
  const start = entry === 'main' || !call ? [] : startOf(call, steps);
  if (start === undefined) return { cannot: `the arguments of ${entry} are objects that a harness cannot make` };
  const command =
    `gcc -g -w ${context.dataModel === 'ilp32' ? '-m32 ' : ''}-fsanitize=address,undefined,float-cast-overflow ` +
    `-fno-sanitize-recover=all ${[...files.map((file) => relativeTo(base, file)), name].join(' ')} && ./a.out`;
  const shown = failure.caller?.place ?? failure.place;
  const lines = [
    '/*',
    ` * Made by provest. ${failure.message.replaceAll('*/', '* /')}`,
    ` * at ${relativeTo(base, shown.file)}:${shown.line}`,
    ' *',
    ` *   ${command}`,
    ...notes.map((note) => ` * Note: ${note}.`),
    ' */',
    'int dprintf(int file, const char *format, ...);',
    // Frames of functions that have returned stay marked; some versions do not look by default.
    'const char *__asan_default_options(void) { return "detect_stack_use_after_return=1"; }',
    ...[...inputs].map(([fn, values]) => inputFunction(fn, values, context.floatResults?.get(fn))),
    ...idiomsLeftOpen(text)
      .filter(({ name: fn }) => !inputs.has(fn))
      .map(definitionOf),
    ...start,
  ];
  return { text: `${lines.join('\n')}\n` };
}

const definitionOf = ({ name, parameters, fails, ends }: VerifierIdiom): string =>
  fails === undefined
    ? `void ${name}(${parameters}) { if (${ends}) __builtin_exit(0); }`
    : `void ${name}(${parameters}) { ${fails === '1' ? '' : `if (${fails}) `}{ dprintf(2, ` +
      `"${fails === '1' ? `reached: ${name}` : 'assertion failed'}\\n"); __builtin_abort(); } }`;

/** The input that the bundled `rand` takes (src/c/library/stdlib/rand.c), and the number that it makes of it. */
const libraryRandom = '__provest_nondet_rand';
function drawn(value: Plain): Plain {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) & 0x7fff_ffff : value;
}

/** Its answers beyond the counterexample do not matter. */
function inputFunction(name: string, values: readonly Plain[], declared: string | undefined): string {
  const type =
    declared ??
    (/float/.test(name)
      ? 'float'
      : /double/.test(name) || values.some((value) => typeof value === 'number' && isFloat(value))
        ? 'double'
        : 'long long');
  return (
    `${type} ${name}(void) {\n  static const ${type} values[] = { ${values.map(literal).join(', ')} };\n  static ` +
    `unsigned next;\n  return next < ${values.length} ? values[next++] : 0;\n}`
  );
}

function startOf(
  call: Extract<ClientStep, { kind: 'call' }>,
  steps: readonly ClientStep[],
): readonly string[] | undefined {
  const objects: string[] = [];
  for (const step of steps) {
    if (step.kind !== 'allocate') continue;
    const [, element, length] =
      /^((?:unsigned |signed )?(?:char|short|int|long|long long))(?:\[(\d+)\])?$/.exec(step.type) ?? [];
    const values = Array.isArray(step.value)
      ? (step.value as readonly Plain[])
      : step.value === undefined
        ? []
        : [step.value];
    if (element === undefined || !values.every((value) => typeof value === 'number' || typeof value === 'bigint'))
      return undefined;
    objects.push(
      `static ${element} ` +
        `${step.name}[${length ?? 1}]${values.length > 0 ? ` = { ${values.map(literal).join(', ')} }` : ''};`,
    );
  }
  const args = call.arguments.map((argument) => {
    if (argument.kind === 'value') return literal(argument.value);
    return argument.index === undefined ? argument.name : `${argument.name} + ${argument.index}`;
  });
  return [
    ...objects,
    `int ${call.function}();`,
    'int main(void) {',
    `  ${call.function}(${args.join(', ')});`,
    '  return 0;',
    '}',
  ];
}

/** True of numbers that no integer of C is, or that an integer of JavaScript would not name exactly. */
const isFloat = (value: number): boolean => !Number.isSafeInteger(value) || Object.is(value, -0);

function floatLiteral(value: number): string {
  if (Number.isNaN(value)) return '__builtin_nan("")';
  if (!Number.isFinite(value)) return `${value < 0 ? '-' : ''}__builtin_inf()`;
  const text = Object.is(value, -0) ? '-0' : String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function literal(value: Plain): string {
  if (value === null) return '(void *)0';
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'number' && isFloat(value)) return floatLiteral(value);
  const big = BigInt(value as number | bigint);
  if (big === -(1n << 63n)) return '(-9223372036854775807LL - 1)';
  return big > 0x7fff_ffff_ffff_ffffn
    ? `${big}ULL`
    : big >= -0x8000_0000n && big < 0x8000_0000n
      ? String(big)
      : `${big}LL`;
}
