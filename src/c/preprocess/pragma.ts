/** Pragmas may be ignored (C11 6.10.6), but not those that change what the program means: these are refused. */
import type { Diagnostic } from '../diagnostic';
import type { Span } from '../source';
import type { Token } from '../token';

/** `words` follow `#pragma`. */
export function checkPragma(words: readonly Token[], span: Span, report: (diagnostic: Diagnostic) => void): void {
  const texts = words.map((t) => t.text);
  const packs = texts[0] === 'pack' && words.some((t) => t.kind === 'number' || (t.kind === 'identifier' && !['pack', 'push', 'pop'].includes(t.text)));
  if (packs || texts[0] === 'scalar_storage_order' || texts[0] === 'redefine_extname') {
    report({ severity: 'error', message: `'#pragma ${texts[0]!}' changes the meaning of the program and is not supported`, span, ...(packs ? { hint: "Write '__attribute__((packed))' at the structures instead." } : {}) });
  }
}
