/**
 * Pragmas may be ignored (C11 6.10.6), but not those that change what the program means: `pack` is carried out as GCC
 * does, the others are refused.
 */
import type { Diagnostic } from '../diagnostics/diagnostic';
import type { Span } from '../source';
import type { Token } from '../tokens/token';

export class Pragmas {
  /** The alignment that members of structures get at most, in bytes; undefined when nothing limits it. */
  pack: number | undefined;
  private readonly saved: { readonly name: string | undefined; readonly pack: number | undefined }[] = [];

  constructor(private readonly report: (diagnostic: Diagnostic) => void) {}

  /** `words` follow `#pragma`. */
  obey(words: readonly Token[], span: Span): void {
    const name = words[0]?.text;
    if (name === 'pack') this.packing(words.slice(1), span);
    else if (name === 'scalar_storage_order' || name === 'redefine_extname' || name === 'weak')
      this.report({
        severity: 'error',
        message: `'#pragma ${name}' changes the meaning of the program and is not supported`,
        span,
      });
  }

  /** `(n)`, `()`, `(push)`, `(push, n)`, `(push, name, n)`, `(pop)`, `(pop, name)`. */
  private packing(words: readonly Token[], span: Span): void {
    const inner = words.slice(1, -1);
    if (
      words[0]?.text !== '(' ||
      words[words.length - 1]?.text !== ')' ||
      inner.some(({ text }, i) => (text === ',') !== (i % 2 === 1))
    )
      return this.reportMalformed(span);
    const items = inner.filter((_, i) => i % 2 === 0);
    const operation = items[0]?.text === 'push' || items[0]?.text === 'pop' ? items.shift()!.text : undefined;
    const label = operation !== undefined && items[0]?.kind === 'identifier' ? items.shift()!.text : undefined;
    const size = items[0]?.kind === 'number' ? items.shift()!.text : undefined;
    if (items.length > 0) return this.reportMalformed(span);
    if (size !== undefined && !['0', '1', '2', '4', '8', '16'].includes(size)) {
      this.report({ severity: 'error', message: `'#pragma pack' takes 0, 1, 2, 4, 8 or 16, not ${size}`, span });
      return;
    }
    if (operation === 'push') this.saved.push({ name: label, pack: this.pack });
    if (operation === 'pop') this.restore(label, span);
    if (size !== undefined) this.pack = Number(size) || undefined;
    else if (operation === undefined) this.pack = undefined;
  }

  private restore(label: string | undefined, span: Span): void {
    const index = label === undefined ? this.saved.length - 1 : this.saved.findLastIndex(({ name }) => name === label);
    if (index < 0) {
      this.report({ severity: 'warning', message: "'#pragma pack(pop)' without a push before it", span });
      return;
    }
    this.pack = this.saved[index]!.pack;
    this.saved.length = index;
  }

  private reportMalformed(span: Span): void {
    this.report({ severity: 'error', message: "'#pragma pack' is not written as '(n)', '(push, n)' or '(pop)'", span });
  }
}
