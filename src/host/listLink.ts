/** Words for conditions on lists. */
export { linkOf } from '../c/listLink';

export const listWords = ['acyclic', 'reach', 'every', 'length'] as const;
export type ListWord = (typeof listWords)[number];

export const isListWord = (word: string): word is ListWord => (listWords as readonly string[]).includes(word);
