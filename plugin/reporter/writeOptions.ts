/** Puts an option into the `loadC` of a test file, such as a precondition that somebody has accepted. */
import { Node, type ObjectLiteralExpression, type PropertyAssignment } from 'ts-morph';
import { declarationOf, parsed } from './writeTests';

/**
 * Pure. `code`: properties as they are written in an object, `requires: { push: 'q != NULL' }`. What is there stays: a
 * second condition on one function joins the first by `&&`. Undefined when the file does not say its options in a way
 * that can be added to; then a person has to.
 */
export function withOption(text: string, variable: string, code: string, path: string): string | undefined {
  const { source, double } = parsed(text, path);
  const call = declarationOf(source, variable)?.getInitializer();
  const loading = call && Node.isCallExpression(call) ? call : undefined;
  if (!loading) return undefined;
  const [, options] = loading.getArguments();
  const wanted = double ? code.replace(/'([^'"\\\n]*)'/g, '"$1"') : code;
  if (!options) {
    loading.addArgument(`{ ${wanted} }`);
    return source.getFullText();
  }
  if (!Node.isObjectLiteralExpression(options)) return undefined;
  const given = parsed(`const given = { ${wanted} };`, 'given.ts')
    .source.getVariableDeclaration('given')
    ?.getInitializer();
  if (!given || !Node.isObjectLiteralExpression(given)) return undefined;
  return merge(options, given) ? source.getFullText() : undefined;
}

function merge(into: ObjectLiteralExpression, given: ObjectLiteralExpression): boolean {
  return given.getProperties().every((property) => {
    if (!Node.isPropertyAssignment(property)) return false;
    const there = into.getProperties().find((one) => nameOf(one) === nameOf(property));
    if (!there) {
      into.addPropertyAssignment({ name: property.getName(), initializer: property.getInitializerOrThrow().getText() });
      return true;
    }
    return Node.isPropertyAssignment(there) && mergeValues(there, property);
  });
}

function mergeValues(there: PropertyAssignment, property: PropertyAssignment): boolean {
  const [old, more] = [there.getInitializer(), property.getInitializer()];
  if (Node.isObjectLiteralExpression(old) && Node.isObjectLiteralExpression(more)) return merge(old, more);
  if (!Node.isStringLiteral(old) || !Node.isStringLiteral(more)) return false;
  const [first, second] = [old.getLiteralText(), more.getLiteralText()];
  if (first.split(' && ').includes(second) || first === second) return true;
  old.setLiteralValue(`${joined(first)} && ${joined(second)}`);
  return true;
}

const joined = (condition: string): string => (/\|\||\?|,/.test(condition) ? `(${condition})` : condition);

function nameOf(node: Node): string | undefined {
  return Node.isPropertyAssignment(node) || Node.isShorthandPropertyAssignment(node) || Node.isMethodDeclaration(node)
    ? node.getName().replace(/^['"]|['"]$/g, '')
    : undefined;
}
