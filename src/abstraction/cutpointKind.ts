/** Which further places carry abstract states besides entries, exits, loop heads and calls. */
export type CutpointKind = 'default' | 'labels' | 'checks';
