/** A structure that a header declares is one to clients, although each file has read it for itself. */
import { loadProgram } from '../../../src/program';
import { recordBehind } from '../../../src/semantics/pointers/initialisers';
import { setUpOf } from '../../../src/evidence/scenarios/structures/setUpFunctions';
import { file } from '../task';

const header = '#include <stdlib.h>\nstruct node { struct node *next; };\n';

test('made in one file, handed over in another', () => {
  const program = loadProgram(
    [
      file(`${header}struct node *node_new(void) { return calloc(1, sizeof(struct node)); }`),
      file(`${header}void node_drop(struct node *n) { free(n); }`),
    ],
    {},
  );
  const callable = program.functions.filter(({ library }) => !library);
  const { made } = setUpOf(program, callable, [{ type: 'struct node', functions: ['node_new'] }]);
  const handed = recordBehind(program.functionByName.get('node_drop')!.parameters[0]!)!;
  expect(made.has(handed)).toBe(true);
});
