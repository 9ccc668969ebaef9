/**
 * Macro expansion on tokens with hide sets: Prosser's algorithm, the one the C standard's words were
 * written from (C11 6.10.3). Pull-based: `next` yields expanded tokens from a source of raw ones, and
 * what a macro yields is put back in front of the source, to be scanned again together with what follows.
 *
 * Places: a token that comes out of a macro has the span of the whole macro use in the file where
 * somebody wrote it, and `expandedFrom` lists, innermost first, each macro with the token in its
 * replacement list. A token of an argument keeps the place where it was written.
 *
 * Beyond C11: GNU `, ## __VA_ARGS__` (the comma goes when there are no variable arguments), GNU named
 * variable parameters, absent variable arguments, C23 `__VA_OPT__`.
 */
import type { Diagnostic } from '../diagnostics/diagnostic';
import { SourceFile, type Span } from '../source';
import type { Token } from '../tokens/token';
import { isDigraphFor, tokenize } from '../tokens/tokenize';
import { unreachable } from '../../unreachable';
import type { HideSet } from './hideSet';
import type { Element, FunctionMacro, Macro, ObjectMacro } from './macro';

export interface MacroToken extends Token {
  readonly hideSet?: HideSet | undefined;
}

/** Shared by all expansions of one run. */
export interface ExpansionContext {
  readonly macros: ReadonlyMap<string, Macro>;
  readonly emptyHideSet: HideSet;
  report(diagnostic: Diagnostic): void;
  /** Counted down by each token a macro yields; at 0 macros are no longer expanded. */
  remainingTokens: number;
}

export const maxExpandedTokens = 2_000_000;
const maxArgumentDepth = 400;

export class Expander {
  /** Tokens put back, the next one last. */
  private readonly pending: MacroToken[] = [];

  /** `source` yields `end` tokens when it has no more. */
  constructor(
    private readonly context: ExpansionContext,
    private readonly source: () => MacroToken,
    private readonly depth = 0,
  ) {}

  /** The next token with all macros expanded; `end` at the end. */
  next(): MacroToken {
    let spaceBefore = false;
    for (;;) {
      const token = this.nextRaw();
      const macro = token.kind === 'identifier' ? this.context.macros.get(token.text) : undefined;
      if (!macro || token.hideSet?.has(macro.name) || !this.expand(token, macro)) {
        return spaceBefore && !token.spaceBefore ? { ...token, spaceBefore } : token;
      }
      // If a macro yields nothing, the blank before it separates its neighbours.
      spaceBefore ||= token.spaceBefore;
    }
  }

  /** The next token as it is: an operand of `defined`, a header name. */
  nextRaw(): MacroToken {
    return this.pending.pop() ?? this.source();
  }

  unread(token: MacroToken): void {
    this.pending.push(token);
  }

  /** Puts the expansion of `name` in front of the source; false when this is no use of the macro. */
  private expand(name: MacroToken, macro: Macro): boolean {
    const { context } = this;
    if (context.remainingTokens <= 0) return false;
    switch (macro.kind) {
      case 'dynamic':
        this.pending.push({
          ...macro.value(name),
          span: name.span,
          spaceBefore: name.spaceBefore,
          startsLine: name.startsLine,
        });
        return true;
      case 'object': {
        const use = new MacroUse(context, macro, name, name.span, [], this.depth);
        this.yield(name, use.result(), (name.hideSet ?? context.emptyHideSet).with(macro.name));
        return true;
      }
      case 'function': {
        const open = this.nextRaw();
        if (open.text !== '(' || open.kind !== 'punctuator') {
          this.pending.push(open);
          return false;
        }
        const call = this.readArguments(name, macro);
        if (!call) return false;
        if (this.depth > maxArgumentDepth) {
          context.report({
            severity: 'error',
            message: `macro uses are nested more than ${maxArgumentDepth} deep`,
            span: name.span,
          });
          return false;
        }
        const span =
          name.span.file === call.close.span.file && call.close.span.end > name.span.end
            ? { ...name.span, end: call.close.span.end }
            : name.span;
        const arguments_ = bindArguments(macro, call.arguments, span, context);
        if (!arguments_) {
          this.pending.push({
            kind: 'number',
            text: '0',
            span,
            spaceBefore: name.spaceBefore,
            startsLine: name.startsLine,
          });
          return true;
        }
        const use = new MacroUse(context, macro, name, span, arguments_, this.depth);
        const hideSet = (name.hideSet ?? context.emptyHideSet)
          .intersection(call.close.hideSet, context.emptyHideSet)
          .with(macro.name);
        this.yield(name, use.result(), hideSet);
        return true;
      }
      default:
        return unreachable(macro);
    }
  }

  private yield(name: MacroToken, tokens: readonly MacroToken[], hideSet: HideSet): void {
    const { context } = this;
    context.remainingTokens -= tokens.length + 1;
    if (context.remainingTokens <= 0) {
      context.report({
        severity: 'error',
        message: `macros yield more than ${maxExpandedTokens} tokens; the last one was '${name.text}'`,
        span: name.span,
      });
    }
    for (let i = tokens.length - 1; i >= 0; i--) {
      const token = tokens[i]!;
      this.pending.push({
        kind: token.kind,
        text: token.text,
        span: token.span,
        spaceBefore: i === 0 ? name.spaceBefore : token.spaceBefore,
        startsLine: i === 0 && name.startsLine,
        hideSet: hideSet.union(token.hideSet),
      });
    }
  }

  /** The `(` has been read. Undefined (and reported) when there is no `)`. */
  private readArguments(
    name: MacroToken,
    macro: FunctionMacro,
  ): { arguments: MacroToken[][]; close: MacroToken } | undefined {
    const lists: MacroToken[][] = [];
    let list: MacroToken[] = [];
    let depth = 0;
    for (;;) {
      const token = this.nextRaw();
      if (token.kind === 'end') {
        this.pending.push(token);
        this.context.report({
          severity: 'error',
          message: `the use of macro '${macro.name}' has no closing ')'`,
          span: name.span,
          notes: [{ message: `macro '${macro.name}' is defined here`, span: macro.span }],
        });
        return undefined;
      }
      if (token.kind === 'punctuator') {
        if (token.text === '(') depth++;
        else if (token.text === ')' && depth-- === 0) {
          lists.push(list);
          return { arguments: lists, close: token };
        } else if (
          token.text === ',' &&
          depth === 0 &&
          !(macro.variadic && lists.length === macro.parameters.length - 1)
        ) {
          lists.push(list);
          list = [];
          continue;
        }
      }
      list.push(token);
    }
  }
}

/** Variable arguments that were left out together with their comma; an empty list may have been written. */
const ABSENT: MacroToken[] = [];

/** One list per parameter; undefined (and reported) when their number is wrong. */
function bindArguments(
  macro: FunctionMacro,
  lists: MacroToken[][],
  span: Span,
  context: ExpansionContext,
): MacroToken[][] | undefined {
  const wanted = macro.parameters.length;
  const none = lists.length === 1 && lists[0]!.length === 0;
  if (wanted === 0 && none) return [];
  if (macro.variadic && lists.length === wanted - 1) return [...lists, ABSENT];
  if (macro.variadic && wanted === 1 && none) return [ABSENT];
  if (lists.length === wanted) return lists;
  const given = none ? 0 : lists.length;
  const least = macro.variadic ? wanted - 1 : wanted;
  context.report({
    severity: 'error',
    message:
      `macro '${macro.name}' takes ${macro.variadic ? 'at least ' : ''}${least} argument${least === 1 ? '' : 's'}, ` +
      `${given} given`,
    span,
    notes: [{ message: `macro '${macro.name}' is defined here`, span: macro.span }],
  });
  return undefined;
}

/** One use of a macro: carries out the elements of its replacement list. */
class MacroUse {
  private readonly expanded: (MacroToken[] | undefined)[] = [];

  constructor(
    private readonly context: ExpansionContext,
    private readonly macro: ObjectMacro | FunctionMacro,
    private readonly name: MacroToken,
    private readonly span: Span,
    private readonly arguments_: readonly MacroToken[][],
    private readonly depth: number,
  ) {}

  result(): MacroToken[] {
    return this.substitute(this.macro.elements);
  }

  private substitute(elements: readonly Element[]): MacroToken[] {
    const out: MacroToken[] = [];
    let pasting: Token | undefined;
    let placemarkers = false;
    let spaceBefore = false;
    for (let i = 0; i < elements.length; i++) {
      const element = elements[i]!;
      if (element.kind === 'paste') {
        pasting = element.token;
        continue;
      }
      const pasted = pasting !== undefined || elements[i + 1]?.kind === 'paste';
      let tokens = this.tokensOf(element, pasted ? 'paste' : 'text');
      if (pasted && tokens.length === 0) {
        tokens = [
          {
            kind: 'other',
            text: '',
            span: element.token.span,
            spaceBefore: element.token.spaceBefore,
            startsLine: false,
          },
        ];
        placemarkers = true;
      }
      if (!pasted && tokens.length === 0) {
        // If an argument is empty, the blank before it separates its neighbours.
        spaceBefore ||= element.token.spaceBefore;
        continue;
      }
      if (spaceBefore) tokens = [{ ...tokens[0]!, spaceBefore }, ...tokens.slice(1)];
      spaceBefore = false;
      let from = 0;
      if (pasting) {
        const left = out[out.length - 1]!;
        if (
          left.text === ',' &&
          left.kind === 'punctuator' &&
          this.isVariable(element) &&
          elements[i + 1]?.kind !== 'paste'
        ) {
          // GNU: nothing is pasted, but absent arguments take the comma along.
          if (this.arguments_[this.arguments_.length - 1] === ABSENT) out.pop();
        } else {
          out.pop();
          out.push(...this.paste(left, tokens[0]!, pasting));
          from = 1;
        }
        pasting = undefined;
      }
      for (; from < tokens.length; from++) out.push(tokens[from]!);
    }
    return placemarkers ? withoutPlacemarkers(out) : out;
  }

  private isVariable(element: Element): boolean {
    return (
      this.macro.kind === 'function' &&
      this.macro.variadic &&
      element.kind === 'parameter' &&
      element.index === this.macro.parameters.length - 1
    );
  }

  /** Next to a `##` an argument is taken as written. */
  private tokensOf(element: Exclude<Element, { kind: 'paste' }>, use: 'paste' | 'text'): MacroToken[] {
    switch (element.kind) {
      case 'token':
        return [this.make(element.token.kind, element.token.text, element.token, element.token.spaceBefore)];
      case 'parameter':
        return spacedLike(
          element.token,
          use === 'paste' ? this.arguments_[element.index]! : this.expandedArgument(element.index),
        );
      case 'optional': {
        const last = this.arguments_.length - 1;
        return this.expandedArgument(last).length === 0
          ? []
          : spacedLike(element.token, this.substitute(element.elements));
      }
      case 'stringify': {
        const { of } = element;
        const tokens = of.kind === 'parameter' ? this.arguments_[of.index]! : this.tokensOf(of, 'text');
        return [this.make('string', this.stringify(tokens), element.token, element.token.spaceBefore)];
      }
      default:
        return unreachable(element);
    }
  }

  private expandedArgument(index: number): MacroToken[] {
    return (this.expanded[index] ??= this.expandAll(this.arguments_[index]!));
  }

  private expandAll(tokens: readonly MacroToken[]): MacroToken[] {
    const { macros } = this.context;
    if (!tokens.some((t) => t.kind === 'identifier' && macros.has(t.text))) return [...tokens];
    let at = 0;
    const end: MacroToken = { kind: 'end', text: '', span: this.span, spaceBefore: false, startsLine: false };
    const expander = new Expander(this.context, () => tokens[at++] ?? end, this.depth + 1);
    const out: MacroToken[] = [];
    for (let token = expander.next(); token.kind !== 'end'; token = expander.next()) out.push(token);
    return out;
  }

  /** A token that stands at `body` in the replacement list. */
  private make(kind: Token['kind'], text: string, body: Token, spaceBefore: boolean): MacroToken {
    const outer = this.name.span.expandedFrom;
    const here = { macro: this.macro.name, span: body.span };
    const span: Span = {
      file: this.span.file,
      start: this.span.start,
      end: this.span.end,
      expandedFrom: outer ? [here, ...outer] : [here],
    };
    return { kind, text, span, spaceBefore, startsLine: false };
  }

  private stringify(tokens: readonly MacroToken[]): string {
    let text = '';
    tokens.forEach((token, i) => {
      if (i > 0 && token.spaceBefore) text += ' ';
      text +=
        token.kind === 'string' || token.kind === 'character' ? token.text.replace(/["\\]/g, '\\$&') : spelling(token);
    });
    if (/(^|[^\\])(\\\\)*\\$/.test(text)) {
      this.context.report({
        severity: 'warning',
        message: "the argument of '#' ends in a backslash, which is left out",
        span: this.span,
        notes: [{ message: `macro '${this.macro.name}' is defined here`, span: this.macro.span }],
      });
      text = text.slice(0, -1);
    }
    this.charge(text);
    return `"${text}"`;
  }

  /** Texts count as well: a chain of `#` doubles its backslashes at each step. */
  private charge(text: string): void {
    this.context.remainingTokens -= text.length >> 5;
  }

  private paste(left: MacroToken, right: MacroToken, operator: Token): MacroToken[] {
    if (right.text === '') return [left];
    if (left.text === '') return [{ ...right, spaceBefore: left.spaceBefore }];
    const text = spelling(left) + spelling(right);
    this.charge(text);
    const token =
      left.kind === 'identifier' && /^[A-Za-z_]\w*$/.test(text) ? { kind: left.kind, text } : soleToken(text);
    if (!token) {
      this.context.report({
        severity: 'error',
        message: `pasting '${left.text}' and '${right.text}' does not give one token`,
        span: this.span,
        notes: [{ message: `by the '##' of macro '${this.macro.name}'`, span: operator.span }],
      });
      return [left, { ...right, spaceBefore: true }];
    }
    const { emptyHideSet } = this.context;
    return [
      {
        ...this.make(token.kind, token.text, operator, left.spaceBefore),
        hideSet: (left.hideSet ?? emptyHideSet).intersection(right.hideSet, emptyHideSet),
      },
    ];
  }
}

function withoutPlacemarkers(tokens: readonly MacroToken[]): MacroToken[] {
  const out: MacroToken[] = [];
  let spaceBefore = false;
  for (const token of tokens) {
    spaceBefore ||= token.spaceBefore;
    if (token.text === '') continue;
    out.push(token.spaceBefore === spaceBefore ? token : { ...token, spaceBefore });
    spaceBefore = false;
  }
  return out;
}

/** `tokens` with the blank before the first as it is before `place`. */
function spacedLike(place: Token, tokens: MacroToken[]): MacroToken[] {
  const first = tokens[0];
  if (!first || first.spaceBefore === place.spaceBefore) return tokens;
  return [{ ...first, spaceBefore: place.spaceBefore }, ...tokens.slice(1)];
}

/** As written: a digraph has its meaning for text. */
function spelling(token: Token): string {
  if (token.kind !== 'punctuator') return token.text;
  const { file, start, end } = token.span.expandedFrom?.[0]?.span ?? token.span;
  const written = file.text.slice(start, end);
  return isDigraphFor(written, token.text) ? written : token.text;
}

function soleToken(text: string): Token | undefined {
  const [token, end] = tokenize(new SourceFile('', text), () => undefined);
  return end?.kind === 'end' && token?.kind !== 'other' && token!.span.end === text.length ? token : undefined;
}
