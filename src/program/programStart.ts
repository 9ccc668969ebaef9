/** The function that a program begins with: its arguments are those of the system, not any (C11 5.1.2.2.1). */
import type { FunctionDefinition } from './program';

/** `int main(int argc, char **argv)`, perhaps with an environment. */
export function isProgramStart({ name, parameters }: FunctionDefinition): boolean {
  const [count, texts] = parameters;
  return (
    name === 'main' &&
    count?.type.kind === 'integer' &&
    texts?.ctype?.kind === 'pointer' &&
    texts.ctype.to.kind === 'pointer'
  );
}
