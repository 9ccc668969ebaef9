/** Random clients. */
import { printType } from '../../../src/c/printType';
import { ScenarioGenerator } from '../../../src/engines/search/scenarioGenerator';
import { Random } from '../../../src/semantics/concrete/random';
import { programOf } from '../../program/programOf';

test('an object is passed again where a pointer to its type is expected, also behind a pointer', () => {
  const program = programOf(`
    struct node { int value; struct node *next; };
    void bytes(unsigned char **p, unsigned char *end) { (void)p; (void)end; }
    void nodes(struct node **head, struct node *n) { (void)head; (void)n; }`);
  const entries = ['bytes', 'nodes'].map((name) => program.functionByName.get(name)!);
  const generator = new ScenarioGenerator(program, new Random(1), 1, undefined, undefined);
  const passed = new Set<string>();
  for (let i = 0; i < 500; i++) {
    const { calls } = generator.scenario({ entries, maximumCalls: 8, init: undefined }, undefined);
    for (const { fn, arguments: given } of calls)
      given.forEach((argument, at) => {
        if (argument.kind !== 'earlier') return;
        const [from, to] = [calls[argument.call]!.fn.parameters[argument.argument]!, fn.parameters[at]!];
        passed.add(`${printType(from.ctype!)} as ${printType(to.ctype!)}`);
      });
  }
  expect([...passed].sort()).toEqual([
    'struct node * as struct node *',
    'struct node ** as struct node **',
    'unsigned char * as unsigned char *',
    'unsigned char ** as unsigned char **',
  ]);
});
