/** A function that is left to the reference machine, and why. */
export class NotCompiled extends Error {}
