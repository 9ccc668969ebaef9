/** Values tried for k in k-induction, in this order; 1 is induction. */
export const inductionDepths: readonly number[] = [2, 3, 4, 6, 10];
