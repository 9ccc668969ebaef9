/** A probe or precondition that cannot be read; the message is for its author. */
export class ProbeError extends Error {}
