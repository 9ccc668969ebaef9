/**
 * Which further places carry abstract states besides entries, exits, loop heads and calls; `statements`: every place
 * where something happens.
 */
export type CutpointSelection = 'default' | 'labels' | 'checks' | 'statements';
