/**
 * The function with which a program begins. The system supplies its arguments, so they are not arbitrary (C11
 * 5.1.2.2.1).
 */
import type { FunctionDefinition } from './program';

/** `int main(int argc, char **argv)`, possibly with an environment. */
export function isProgramStart({ name, parameters }: FunctionDefinition): boolean {
  const [count, texts] = parameters;
  return (
    name === 'main' &&
    count?.type.kind === 'integer' &&
    texts?.ctype?.kind === 'pointer' &&
    texts.ctype.to.kind === 'pointer'
  );
}
