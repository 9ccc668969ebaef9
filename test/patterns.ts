/** Long patterns from parts that fit into a line. Flags of the parts are left out. */

/** Matches what the parts match, each directly behind the one before. */
export const concatenate = (...parts: readonly RegExp[]): RegExp =>
  new RegExp(parts.map(({ source }) => `(?:${source})`).join(''));

/** Matches what the parts match in their order, with any text between them. */
export const inOrder = (...parts: readonly RegExp[]): RegExp =>
  new RegExp(parts.map(({ source }) => `(?:${source})`).join('[^]*'));
