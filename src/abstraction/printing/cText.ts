/** Binding strengths of C operators, for parentheses. */
export const [OR, AND, COMPARE, SHIFT, SUM, PRODUCT, UNARY, PRIMARY] = [1, 2, 3, 4, 5, 6, 7, 8];

/** A text of C, and how strongly its operator binds. */
export interface CText {
  readonly text: string;
  readonly strength: number;
}
