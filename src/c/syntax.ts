/**
 * The syntax tree: what the C grammar (C11 6.5-6.9, with the GNU forms that real code uses) says, before names have
 * types. Produced by `parse`, consumed by `elaborate` and by nothing else. The parser decides what is a type name and
 * what is not; everything else about names is left to elaboration.
 */
import type { Diagnostic } from './diagnostics/diagnostic';
import type { Span } from './source';
import type { Token } from './tokens/token';

export type AssignmentOperator = '=' | '+=' | '-=' | '*=' | '/=' | '%=' | '&=' | '|=' | '^=' | '<<=' | '>>=';
export type BinaryOperatorToken =
  '+' | '-' | '*' | '/' | '%' | '&' | '|' | '^' | '<<' | '>>' | '==' | '!=' | '<' | '<=' | '>' | '>=' | '&&' | '||';

interface Spanned {
  readonly span: Span;
}

export type SyntaxExpression = Spanned &
  (
    | {
        readonly kind: 'identifier';
        readonly name: string;
        /** Without the parentheses around it. */ readonly nameSpan?: Span;
      }
    | { readonly kind: 'number'; readonly text: string }
    | { readonly kind: 'character'; readonly text: string }
    /** Adjacent literals, to be concatenated. */
    | { readonly kind: 'string'; readonly pieces: readonly Token[] }
    | {
        readonly kind: 'prefix';
        readonly operator: '+' | '-' | '~' | '!' | '*' | '&' | '++' | '--';
        readonly operand: SyntaxExpression;
      }
    | { readonly kind: 'postfix'; readonly operator: '++' | '--'; readonly operand: SyntaxExpression }
    | {
        readonly kind: 'binary';
        readonly operator: BinaryOperatorToken;
        readonly left: SyntaxExpression;
        readonly right: SyntaxExpression;
      }
    | {
        readonly kind: 'assignment';
        readonly operator: AssignmentOperator;
        readonly left: SyntaxExpression;
        readonly right: SyntaxExpression;
      }
    | {
        readonly kind: 'conditional';
        readonly condition: SyntaxExpression;
        readonly then: SyntaxExpression | undefined;
        readonly otherwise: SyntaxExpression;
      }
    | { readonly kind: 'comma'; readonly left: SyntaxExpression; readonly right: SyntaxExpression }
    | { readonly kind: 'cast'; readonly type: TypeName; readonly operand: SyntaxExpression }
    | {
        readonly kind: 'size-of-expression';
        readonly operator: 'sizeof' | '_Alignof';
        readonly operand: SyntaxExpression;
      }
    | { readonly kind: 'size-of-type'; readonly operator: 'sizeof' | '_Alignof'; readonly type: TypeName }
    | { readonly kind: 'subscript'; readonly array: SyntaxExpression; readonly index: SyntaxExpression }
    | { readonly kind: 'call'; readonly callee: SyntaxExpression; readonly arguments: readonly SyntaxExpression[] }
    | {
        readonly kind: 'member';
        readonly object: SyntaxExpression;
        readonly arrow: boolean;
        readonly name: string;
        readonly nameSpan: Span;
      }
    | { readonly kind: 'compound-literal'; readonly type: TypeName; readonly initializer: SyntaxInitializerList }
    | {
        readonly kind: 'generic';
        readonly control: SyntaxExpression;
        readonly associations: readonly {
          readonly type: TypeName | undefined;
          readonly value: SyntaxExpression;
          readonly span: Span;
        }[];
      }
    | { readonly kind: 'statement-expression'; readonly body: SyntaxBlock }
    /** GNU `&&label`. */
    | { readonly kind: 'label-address'; readonly label: string; readonly labelSpan: Span }
    | { readonly kind: 'va-arg'; readonly list: SyntaxExpression; readonly type: TypeName }
    | { readonly kind: 'offset-of'; readonly type: TypeName; readonly path: readonly Designator[] }
    | { readonly kind: 'types-compatible'; readonly left: TypeName; readonly right: TypeName }
  );

/** `.name`, `[index]`, GNU `[low ... high]`. */
export type Designator = Spanned &
  (
    | { readonly kind: 'field'; readonly name: string }
    | { readonly kind: 'index'; readonly low: SyntaxExpression; readonly high: SyntaxExpression | undefined }
  );
export interface SyntaxInitializerList extends Spanned {
  readonly kind: 'list';
  readonly items: readonly { readonly designators: readonly Designator[]; readonly value: SyntaxInitializer }[];
}
export type SyntaxInitializer =
  SyntaxInitializerList | { readonly kind: 'expression'; readonly expression: SyntaxExpression; readonly span: Span };

export interface SyntaxQualifiers {
  readonly const: boolean;
  readonly volatile: boolean;
  readonly restrict: boolean;
  /** The place of `_Atomic`. */ readonly atomic: Span | undefined;
}

/** `name(arguments)`, with leading and trailing underscores of the name removed. */
export interface Attribute extends Spanned {
  readonly name: string;
  readonly arguments: readonly SyntaxExpression[];
}

export type BasicWord =
  | 'void'
  | 'char'
  | 'short'
  | 'int'
  | 'long'
  | 'float'
  | 'double'
  | 'signed'
  | 'unsigned'
  | '_Bool'
  | '_Complex'
  | '_Imaginary'
  | '__int128'
  | '_Float128'
  | '_Decimal64';

export type TypeSpecifier = Spanned &
  (
    | { readonly kind: 'basic'; readonly words: readonly BasicWord[] }
    | {
        readonly kind: 'record';
        readonly keyword: 'struct' | 'union';
        readonly tag: string | undefined;
        readonly tagSpan: Span;
        readonly members: readonly MemberDeclaration[] | undefined;
        readonly attributes: readonly Attribute[];
        /** See `Token.pack`. */ readonly pack?: number | undefined;
      }
    | {
        readonly kind: 'enum';
        readonly tag: string | undefined;
        readonly tagSpan: Span;
        readonly enumerators: readonly Enumerator[] | undefined;
        readonly attributes: readonly Attribute[];
      }
    | { readonly kind: 'typedef-name'; readonly name: string }
    | { readonly kind: 'typeof-expression'; readonly operand: SyntaxExpression }
    | { readonly kind: 'typeof-type'; readonly type: TypeName }
    | { readonly kind: 'atomic'; readonly type: TypeName }
    | { readonly kind: 'auto-type' }
    /** Already reported by the parser: what uses it is not looked at further. */
    | { readonly kind: 'error' }
  );
export interface Enumerator extends Spanned {
  readonly name: string;
  readonly value: SyntaxExpression | undefined;
}

export type StorageClass = 'typedef' | 'extern' | 'static' | 'auto' | 'register';
export interface Specifiers extends Spanned {
  readonly storage: StorageClass | undefined;
  readonly threadLocal: Span | undefined;
  readonly inline: boolean;
  readonly noreturn: boolean;
  readonly type: TypeSpecifier;
  readonly qualifiers: SyntaxQualifiers;
  readonly attributes: readonly Attribute[];
  readonly alignments: readonly Alignment[];
}
export type Alignment =
  | { readonly kind: 'type'; readonly type: TypeName; readonly span: Span }
  | { readonly kind: 'expression'; readonly value: SyntaxExpression; readonly span: Span };

/** Read from the outside in: `pointer { inner: name p }` declares p as a pointer to the specified type. */
export type Declarator = Spanned & {
  /** Behind a `*`, or behind a parenthesis that groups. */ readonly attributes?: readonly Attribute[];
} & (
    | { readonly kind: 'name'; readonly name: string | undefined }
    | { readonly kind: 'pointer'; readonly qualifiers: SyntaxQualifiers; readonly inner: Declarator }
    | {
        readonly kind: 'array';
        readonly inner: Declarator;
        readonly length: SyntaxExpression | undefined;
        /** `[*]` */ readonly star: boolean;
        /** In a parameter: `[static const 4]`. */ readonly qualifiers: SyntaxQualifiers;
        /** Place of `static` or qualifiers. */ readonly parameterOnly: Span | undefined;
        /** In a parameter: `[static 4]`, the least length. */ readonly isLeast?: true;
      }
    | {
        readonly kind: 'function';
        readonly inner: Declarator;
        readonly parameters: readonly Parameter[];
        readonly variadic: boolean;
        /** `()` */ readonly unprototyped: boolean;
        /** `(a, b)`: the types follow the parentheses. */ readonly identifiers?: readonly Token[];
      }
  );
export interface Parameter extends Spanned {
  readonly specifiers: Specifiers;
  readonly declarator: Declarator;
  readonly attributes: readonly Attribute[];
}
export interface TypeName extends Spanned {
  readonly specifiers: Specifiers;
  readonly declarator: Declarator;
}

/** GNU: the symbol's name in the object file. */
export interface AssemblerName extends Spanned {
  readonly name: string;
}

export interface DeclaratorWithInitializer extends Spanned {
  readonly declarator: Declarator;
  readonly initializer: SyntaxInitializer | undefined;
  readonly attributes: readonly Attribute[];
  /** `asm("name")` after the declarator. */
  readonly assemblerName: AssemblerName | undefined;
}
export type MemberDeclaration =
  | {
      readonly kind: 'members';
      readonly specifiers: Specifiers;
      readonly members: readonly Member[];
      readonly span: Span;
    }
  | StaticAssertion;
export interface Member extends Spanned {
  readonly declarator: Declarator;
  readonly width: SyntaxExpression | undefined;
  readonly attributes: readonly Attribute[];
}

export interface StaticAssertion extends Spanned {
  readonly kind: 'static-assertion';
  readonly condition: SyntaxExpression;
  readonly message: readonly Token[];
}
export interface Declaration extends Spanned {
  readonly kind: 'declaration';
  readonly specifiers: Specifiers;
  readonly declarators: readonly DeclaratorWithInitializer[];
  /** Parts of it without meaning here; reported when one of its names is used. */
  readonly unsupported?: readonly Diagnostic[];
}
export interface FunctionDefinitionSyntax extends Spanned {
  readonly kind: 'function-definition';
  readonly specifiers: Specifiers;
  readonly declarator: Declarator;
  readonly attributes: readonly Attribute[];
  readonly body: SyntaxBlock;
}
/** `PROVEST_ENSURES_OF(function, condition);` */
export interface EnsuresOf extends Spanned {
  readonly kind: 'ensures-of';
  readonly function: { readonly name: string; readonly span: Span };
  readonly condition: SyntaxExpression;
}
export type ExternalDeclaration = Declaration | FunctionDefinitionSyntax | StaticAssertion | EnsuresOf;
export interface SyntaxUnit {
  readonly declarations: readonly ExternalDeclaration[];
  /** False when a part of the text could not be read, so that a missing name means nothing. */
  readonly complete: boolean;
}

/** `end` is the closing brace. */
export interface SyntaxBlock extends Spanned {
  readonly kind: 'block';
  readonly items: readonly SyntaxStatement[];
  readonly end: Span;
}

export type SyntaxStatement =
  | SyntaxBlock
  | Declaration
  | StaticAssertion
  | (Spanned &
      (
        | { readonly kind: 'expression'; readonly expression: SyntaxExpression }
        | { readonly kind: 'empty' }
        | {
            readonly kind: 'if';
            readonly condition: SyntaxExpression;
            readonly then: SyntaxStatement;
            readonly otherwise: SyntaxStatement | undefined;
          }
        | { readonly kind: 'while'; readonly condition: SyntaxExpression; readonly body: SyntaxStatement }
        | { readonly kind: 'do'; readonly body: SyntaxStatement; readonly condition: SyntaxExpression }
        | {
            readonly kind: 'for';
            readonly init: SyntaxStatement | undefined;
            readonly condition: SyntaxExpression | undefined;
            readonly step: SyntaxExpression | undefined;
            readonly body: SyntaxStatement;
          }
        | { readonly kind: 'switch'; readonly condition: SyntaxExpression; readonly body: SyntaxStatement }
        | {
            readonly kind: 'case';
            readonly low: SyntaxExpression;
            readonly high: SyntaxExpression | undefined;
            readonly body: SyntaxStatement;
            readonly labelSpan: Span;
          }
        | { readonly kind: 'default'; readonly body: SyntaxStatement; readonly labelSpan: Span }
        | { readonly kind: 'label'; readonly name: string; readonly body: SyntaxStatement; readonly labelSpan: Span }
        | { readonly kind: 'goto'; readonly label: string; readonly labelSpan: Span }
        /** GNU `goto *target;`. */
        | { readonly kind: 'computed-goto'; readonly target: SyntaxExpression }
        | { readonly kind: 'break' }
        | { readonly kind: 'continue' }
        | { readonly kind: 'return'; readonly value: SyntaxExpression | undefined }
      ));

export const noQualifiers: SyntaxQualifiers = { const: false, volatile: false, restrict: false, atomic: undefined };

/** The name a declarator declares, and where it stands. */
export function declaredName(declarator: Declarator): { readonly name: string | undefined; readonly span: Span } {
  let d = declarator;
  while (d.kind !== 'name') d = d.inner;
  return d;
}

/**
 * Attributes inside a declarator that can only be meant for what it declares (GCC: those that require a declaration).
 */
export function declaredAttributes(declarator: Declarator): readonly Attribute[] {
  const found: Attribute[] = [];
  for (let d = declarator; ; d = d.inner) {
    found.push(...(d.attributes ?? []).filter(({ name }) => ['cleanup', 'constructor', 'destructor'].includes(name)));
    if (d.kind === 'name') return found;
  }
}

/**
 * The function part of `f(…)`, `*f(…)`, `(*f(…))(…)`: the one next to the name, so that this declarator declares a
 * function.
 */
export function functionPart(declarator: Declarator): Extract<Declarator, { kind: 'function' }> | undefined {
  let d = declarator;
  while (d.kind !== 'name') {
    if (d.kind === 'function' && d.inner.kind === 'name') return d;
    d = d.inner;
  }
  return undefined;
}
