/** A value that evaluation cannot find, which says nothing about the term. */
export class NotComputable extends Error {
  override readonly name = 'NotComputable';
}
