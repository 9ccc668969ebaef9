/**
 * Macros: what `#define` leaves behind. The replacement list is parsed once, when it is defined, into
 * elements that say what each token will do (C11 6.10.3.1 to 6.10.3.3, and GNU and C23 extensions), so
 * that expansion only carries them out.
 */
import type { Diagnostic } from '../diagnostics/diagnostic';
import { cover, type Span } from '../source';
import type { Token } from '../tokens/token';

export type Macro = ObjectMacro | FunctionMacro | DynamicMacro;

interface Defined {
  readonly name: string;
  /** The name in its `#define`. */
  readonly span: Span;
  readonly elements: readonly Element[];
  /** The replacement list as written, to tell a harmless redefinition from a real one. */
  readonly body: readonly Token[];
}
export interface ObjectMacro extends Defined {
  readonly kind: 'object';
}
export interface FunctionMacro extends Defined {
  readonly kind: 'function';
  /** The last one is the variable part when `variadic`; then its name is `__VA_ARGS__` or a GNU name. */
  readonly parameters: readonly string[];
  readonly variadic: boolean;
}
/** `__LINE__` and its like: one token that depends on where it is used. */
export interface DynamicMacro {
  readonly kind: 'dynamic';
  readonly name: string;
  value(use: Token): Pick<Token, 'kind' | 'text'>;
}

export type Element =
  | { readonly kind: 'token'; readonly token: Token }
  | { readonly kind: 'parameter'; readonly token: Token; readonly index: number }
  /** `#x`, or C23 `#__VA_OPT__(…)`. */
  | {
      readonly kind: 'stringify';
      readonly token: Token;
      readonly of: Extract<Element, { kind: 'parameter' | 'optional' }>;
    }
  | { readonly kind: 'paste'; readonly token: Token }
  /** `__VA_OPT__(…)`: there when the variable arguments are. */
  | { readonly kind: 'optional'; readonly token: Token; readonly elements: readonly Element[] };

type Report = (diagnostic: Diagnostic) => void;

/** The macro defined by the tokens that follow `#define`; undefined (and reported) when they define none. */
export function parseDefinition(
  line: readonly Token[],
  directive: Span,
  report: Report,
): ObjectMacro | FunctionMacro | undefined {
  const name = line[0];
  if (!name) return fail(report, "'#define' needs a name", directive);
  if (name.kind !== 'identifier') return fail(report, `'${name.text}' cannot be the name of a macro`, name.span);
  if (name.text === 'defined' || name.text === '__VA_ARGS__' || name.text === '__VA_OPT__')
    return fail(report, `'${name.text}' cannot be defined as a macro`, name.span);
  const open = line[1];
  if (open?.text !== '(' || open.spaceBefore) {
    if (open && !open.spaceBefore && (open.kind === 'identifier' || open.kind === 'number')) {
      report({
        severity: 'warning',
        message: `a space is missing after the macro name '${name.text}'`,
        span: open.span,
      });
    }
    const body = line.slice(1);
    const elements = parseReplacement(body, undefined, report);
    return elements && { kind: 'object', name: name.text, span: name.span, elements, body };
  }
  const list = parseParameters(line, report);
  if (!list) return undefined;
  const body = line.slice(list.end);
  const elements = parseReplacement(body, list, report);
  return (
    elements && {
      kind: 'function',
      name: name.text,
      span: name.span,
      elements,
      body,
      parameters: list.parameters,
      variadic: list.variadic,
    }
  );
}

/** 6.10.3p2: the same kind, parameters, tokens, and blanks in the same places. */
export function sameDefinition(a: Macro, b: Macro): boolean {
  if (a.kind === 'dynamic' || b.kind === 'dynamic' || a.kind !== b.kind || a.body.length !== b.body.length)
    return false;
  if (
    a.kind === 'function' &&
    b.kind === 'function' &&
    (a.variadic !== b.variadic || a.parameters.join() !== b.parameters.join())
  )
    return false;
  return a.body.every(
    (t, i) =>
      t.text === b.body[i]!.text && t.kind === b.body[i]!.kind && (i === 0 || t.spaceBefore === b.body[i]!.spaceBefore),
  );
}

interface ParameterList {
  readonly parameters: readonly string[];
  readonly variadic: boolean;
  /** Index after the `)`. */ readonly end: number;
}

/** `line[1]` is the `(`. */
function parseParameters(line: readonly Token[], report: Report): ParameterList | undefined {
  const parameters: string[] = [];
  const open = line[1]!;
  let at = 2;
  if (line[at]?.text === ')') return { parameters, variadic: false, end: at + 1 };
  for (;;) {
    const token = line[at++];
    if (!token) return fail(report, "the parameter list of the macro has no ')'", open.span);
    let variadic = token.text === '...';
    if (variadic) parameters.push('__VA_ARGS__');
    else if (token.kind === 'identifier') {
      if (parameters.includes(token.text))
        return fail(report, `macro parameter '${token.text}' appears twice`, token.span);
      if (token.text === '__VA_ARGS__' || token.text === '__VA_OPT__')
        return fail(report, `'${token.text}' cannot be the name of a macro parameter`, token.span);
      parameters.push(token.text);
      if (line[at]?.text === '...') {
        variadic = true;
        at++;
      }
    } else return fail(report, `'${token.text}' cannot be a macro parameter`, token.span);
    const separator = line[at++];
    if (separator?.text === ')') return { parameters, variadic, end: at };
    if (!separator) return fail(report, "the parameter list of the macro has no ')'", open.span);
    if (variadic) return fail(report, "expected ')' after '...'", separator.span);
    if (separator.text !== ',')
      return fail(
        report,
        `expected ',' or ')' in the parameter list of the macro, not '${separator.text}'`,
        separator.span,
      );
  }
}

function parseReplacement(
  body: readonly Token[],
  list: ParameterList | undefined,
  report: Report,
): Element[] | undefined {
  const elements: Element[] = [];
  for (let at = 0; at < body.length;) {
    const token = body[at]!;
    if (token.text === '##' && token.kind === 'punctuator') {
      if (elements.length === 0 || at + 1 === body.length)
        return fail(report, "'##' cannot stand at either end of a replacement list", token.span);
      elements.push({ kind: 'paste', token });
      at++;
    } else if (list && token.text === '#' && token.kind === 'punctuator') {
      const next = operand(body, at + 1, list, report);
      if (!next) return undefined;
      if (next.element.kind === 'token') {
        return fail(
          report,
          "'#' is not followed by a macro parameter",
          token.span,
          `The parameters are: ${list.parameters.join(', ') || 'none'}.`,
        );
      }
      elements.push({
        kind: 'stringify',
        token: { ...token, span: cover(token.span, next.element.token.span) },
        of: next.element,
      });
      at = next.end;
    } else {
      const next = operand(body, at, list, report);
      if (!next) return undefined;
      elements.push(next.element);
      at = next.end;
    }
  }
  return elements;
}

type Operand = Extract<Element, { kind: 'token' | 'parameter' | 'optional' }>;

/**
 * One token, parameter or `__VA_OPT__(…)` at `at`. At the end of the body, the last token again: as the operand of `#`
 * that is no parameter.
 */
function operand(
  body: readonly Token[],
  at: number,
  list: ParameterList | undefined,
  report: Report,
): { element: Operand; end: number } | undefined {
  const token = body[at] ?? body[at - 1]!;
  if (token.kind !== 'identifier') return { element: { kind: 'token', token }, end: at + 1 };
  const index = list ? list.parameters.indexOf(token.text) : -1;
  if (index >= 0) return { element: { kind: 'parameter', token, index }, end: at + 1 };
  if (token.text === '__VA_ARGS__')
    report({
      severity: 'warning',
      message: "'__VA_ARGS__' means nothing outside a macro with '...'",
      span: token.span,
    });
  if (token.text !== '__VA_OPT__' || !list?.variadic) return { element: { kind: 'token', token }, end: at + 1 };
  if (body[at + 1]?.text !== '(') return fail(report, "'__VA_OPT__' must be followed by '('", token.span);
  let depth = 0;
  for (let end = at + 1; end < body.length; end++) {
    if (body[end]!.text === '(') depth++;
    else if (body[end]!.text === ')' && --depth === 0) {
      const content = body.slice(at + 2, end);
      const nested = content.find((t) => t.text === '__VA_OPT__');
      if (nested) return fail(report, "'__VA_OPT__' cannot stand within '__VA_OPT__'", nested.span);
      const elements = parseReplacement(content, list, report);
      return elements && { element: { kind: 'optional', token, elements }, end: end + 1 };
    }
  }
  return fail(report, "'__VA_OPT__(' has no ')'", token.span);
}

function fail(report: Report, message: string, span: Span, hint?: string): undefined {
  report({ severity: 'error', message, span, ...(hint === undefined ? {} : { hint }) });
  return undefined;
}
