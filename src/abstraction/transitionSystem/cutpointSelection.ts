/**
 * Which further places carry abstract states besides entries, exits, loop heads and calls; `statements`: every place
 * where something happens; `branches`: the beginnings of both sides of a branch, and where sides meet again, so that no
 * segment merges paths.
 */
export type CutpointSelection = 'default' | 'labels' | 'checks' | 'statements' | 'branches';
