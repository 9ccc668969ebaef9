/**
 * Structures of which reachability along one link says little: those with several links along which one walk goes on,
 * as trees, and lists of lists. What all objects have in common may suffice: that links lead to live objects, and no
 * two to the same.
 */
import { branchingLinks } from '../../../semantics/pointers/links/branchingLinks';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { type BlockMember, blockMembers } from './ownedBlocks';

/**
 * True if nodes hold the first nodes of other lists, as in a list of lists. These lists begin at no variable, so
 * reachability says little of them, too.
 */
export function hasListsInNodes(system: TransitionSystem): boolean {
  const { links } = system.memoryModel;
  const areFirst = (member: BlockMember): boolean =>
    links.some(({ node, offset }) => node === member.target && offset === member.at);
  return links.some((link) => blockMembers(link, system).some(areFirst));
}

/** True if some walk goes along several links of one region. */
export const hasBranchingLinks = ({ functions, inlined, memoryModel }: TransitionSystem): boolean =>
  branchingLinks([...functions, ...inlined], memoryModel.links, memoryModel.regions).length > 0;
