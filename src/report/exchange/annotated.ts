/**
 * A program with what was proved of its loops, as annotations of C that other verifiers check: loop contracts of CBMC
 * (`goto-instrument --apply-loop-contracts`), or ACSL for Frama-C. Every line of the program stays the line it was.
 *
 * CBMC has no contracts for `do` loops. They are written as `while (1)` with a `break` where their condition ends them,
 * which is the same unless the body has a `continue`.
 */
import { SourceFile } from '../../c/source';
import type { Token } from '../../c/tokens/token';
import { tokenize } from '../../c/tokens/tokenize';
import type { LanguageAnnotations, LoopAnnotation } from '../../verdict';
import { relativeTo } from '../json/json';
import { idiomsLeftOpen, type VerifierIdiom } from '../verifierIdioms';

export const dialects = ['cbmc', 'acsl'] as const;
export type AnnotationDialect = (typeof dialects)[number];

export interface AnnotatedContext {
  readonly dialect: AnnotationDialect;
  /** Absolute path and text of the program. */
  readonly file: string;
  readonly source: string;
  readonly entry: string;
  readonly base: string;
  /** The name the file will have. */
  readonly name: string;
}

/** A loop without a complete annotation. */
export interface Unannotated {
  readonly line: number;
  readonly function: string | undefined;
  readonly why: string;
}

export interface AnnotatedProgram {
  readonly text: string;
  readonly annotated: number;
  readonly unannotated: readonly Unannotated[];
  /** Most rounds of a loop that the proof goes through at once. */
  readonly rounds: number;
}

const names = { cbmc: 'loop contracts of CBMC', acsl: 'ACSL' } as const;

export function annotatedProgram(annotations: readonly LoopAnnotation[], context: AnnotatedContext): AnnotatedProgram {
  const { dialect, file, source, base } = context;
  const tokens = tokenize(new SourceFile(file, source), () => {});
  const edits: Edit[] = [];
  const unannotated: Unannotated[] = [];
  let annotated = 0;
  for (const loop of mergeAnnotations(annotations, dialect)) {
    const { place, said, rounds } = loop;
    const missing = (why: string): number => unannotated.push({ line: place.line, function: place.function, why });
    if (rounds !== undefined) continue;
    const found =
      place.file === file && loop.start !== undefined ? editsOf(loop.start, said, tokens, dialect) : 'jumps';
    if (typeof found === 'string') {
      missing(whyNot[found]);
      continue;
    }
    edits.push(...found);
    annotated++;
    if (said.leftOut > 0)
      missing(`${said.leftOut} of ${said.conjuncts.length + said.leftOut} conjuncts cannot be expressed`);
  }
  const text = applyEdits(source, edits);
  const shown = relativeTo(base, file);
  const head = [
    '/*',
    ` * Made by provest: ${shown.replaceAll('*/', '* /')} with the invariants of its loops, as ${names[dialect]}.`,
    ' *',
    ...commandsFor(context).map((command) => ` *   ${command}`),
    ...unannotated.map(({ line, why }) => ` * Line ${line}: ${why}.`),
    ' */',
    ...(dialect === 'cbmc' ? ['#ifndef __CPROVER__', '#define __CPROVER_loop_invariant(condition)', '#endif'] : []),
    `#line 1 "${shown.replace(/["\\]/g, '\\$&')}"`,
  ];
  return {
    text: `${head.join('\n')}\n${text}${text.endsWith('\n') ? '' : '\n'}${vocabulary(source, dialect)}`,
    annotated,
    unannotated,
    rounds: Math.max(0, ...annotations.map(({ rounds }) => rounds ?? 0)),
  };
}

function commandsFor({ dialect, name, entry }: AnnotatedContext): readonly string[] {
  if (dialect === 'acsl') return [`frama-c -wp -wp-rte -main ${entry} ${name}`];
  const binary = `${name.replace(/\.c$/, '')}.goto`;
  return [
    `goto-cc --function ${entry} ${name} -o ${binary}`,
    `goto-instrument --apply-loop-contracts ${binary} ${binary}`,
    `cbmc --unwind 2 --unwinding-assertions ${binary}`,
  ];
}

interface Loop extends Pick<LoopAnnotation, 'place' | 'start' | 'rounds'> {
  readonly said: LanguageAnnotations;
}

/** Parts of a proof say different things of one loop. */
function mergeAnnotations(annotations: readonly LoopAnnotation[], dialect: AnnotationDialect): readonly Loop[] {
  const loops = new Map<string, Loop>();
  for (const { place, start, rounds, [dialect]: said } of annotations) {
    const key = `${place.file}:${start ?? `${place.line}:${place.column}`}`;
    const before = loops.get(key);
    loops.set(key, {
      place,
      ...(start !== undefined && { start }),
      // An invariant that one part has of single rounds is one of the program.
      ...(rounds !== undefined && (!before || before.rounds !== undefined) && { rounds }),
      said: {
        conjuncts: [...new Set([...(before?.said.conjuncts ?? []), ...said.conjuncts])],
        leftOut: (before?.said.leftOut ?? 0) + said.leftOut,
      },
    });
  }
  return [...loops.values()];
}

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const whyNot = {
  jumps: 'the loop is no statement of the file, so it has no place for an invariant',
  continue: 'a do loop with a continue has no contract',
} as const;

function editsOf(
  start: number,
  said: LanguageAnnotations,
  tokens: readonly Token[],
  dialect: AnnotationDialect,
): readonly Edit[] | keyof typeof whyNot {
  const first = tokens.findIndex(({ span }) => span.start === start);
  const keyword = tokens[first]?.text;
  if (keyword !== 'while' && keyword !== 'for' && keyword !== 'do') return 'jumps';
  if (dialect === 'acsl') {
    const clauses = said.conjuncts.map((conjunct) => `loop invariant ${conjunct};`);
    return clauses.length === 0 ? [] : [{ from: start, to: start, text: `/*@ ${clauses.join(' ')} */ ` }];
  }
  const conjuncts = said.conjuncts.length === 0 ? ['1 == 1'] : said.conjuncts;
  const contract = ` ${conjuncts.map((conjunct) => `__CPROVER_loop_invariant(${conjunct})`).join(' ')} `;
  if (keyword !== 'do') {
    const close = closing(tokens, first + 1);
    if (close === undefined) return 'jumps';
    const { end } = tokens[close]!.span;
    return [{ from: end, to: end, text: contract }];
  }
  const tail = tailOf(tokens, first);
  if (!tail) return 'jumps';
  if (tokens.slice(first, tail.keyword).some(({ text }) => text === 'continue')) return 'continue';
  const [loop, last, end] = [tokens[tail.keyword]!.span, tokens[tail.close]!.span, tokens[tail.close + 1]!.span];
  return [
    { from: start, to: start + 2, text: `while (1)${contract}{` },
    { from: loop.start, to: loop.end, text: 'if (!' },
    { from: last.end, to: end.end, text: ') break; }' },
  ];
}

/** The token that closes what the token at `open` opens. */
function closing(tokens: readonly Token[], open: number): number | undefined {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    const { text } = tokens[i]!;
    if (text === '(' || text === '{') depth++;
    else if (text === ')' || text === '}') {
      depth--;
      if (depth === 0) return i;
    }
    if (depth === 0) return undefined;
  }
  return undefined;
}

/** The `while` of a do loop whose body is a block, and the parenthesis that closes its condition. */
function tailOf(
  tokens: readonly Token[],
  start: number,
): { readonly keyword: number; readonly close: number } | undefined {
  const body = tokens[start + 1]?.text === '{' ? closing(tokens, start + 1) : undefined;
  if (body === undefined || tokens[body + 1]?.text !== 'while') return undefined;
  const close = closing(tokens, body + 2);
  return close !== undefined && tokens[close + 1]?.text === ';' ? { keyword: body + 1, close } : undefined;
}

function applyEdits(source: string, edits: readonly Edit[]): string {
  let text = source;
  // Nodes at one place keep their order.
  for (const { from, to, text: by } of [...edits].sort((a, b) => b.from - a.from || b.to - a.to))
    text = `${text.slice(0, from)}${by}${text.slice(to)}`;
  return text;
}

function vocabulary(source: string, dialect: AnnotationDialect): string {
  const open = idiomsLeftOpen(source).filter(({ name }) => !name.startsWith('__CPROVER_'));
  if (dialect === 'acsl' || open.length === 0) return '';
  return ['#ifdef __CPROVER__', ...open.map((idiom) => definitionOf(idiom, source)), '#endif', ''].join('\n');
}

function definitionOf({ name, parameters, fails, ends }: VerifierIdiom, source: string): string {
  // As the program declares it.
  const truth = new RegExp(`\\b${name}\\s*\\(\\s*(?:_Bool|bool)\\b`).test(source) ? '_Bool' : 'int';
  const head = `void ${name}(${parameters.replace(/\bint\b/g, truth)})`;
  if (fails === undefined) return `${head} { __CPROVER_assume(!(${ends})); }`;
  return `${head} { __CPROVER_assert(!(${fails}), "${name}");${fails === '1' ? ' __CPROVER_assume(0);' : ''} }`;
}
