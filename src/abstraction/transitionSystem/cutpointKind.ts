/**
 * Which further places carry abstract states besides entries, exits, loop heads and calls; `statements`: every place
 * where something happens.
 */
export type CutpointKind = 'default' | 'labels' | 'checks' | 'statements';
