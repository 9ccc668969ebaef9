/** A type without its `readonly` modifiers: for values under construction. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };
