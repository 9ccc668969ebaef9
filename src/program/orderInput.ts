/**
 * The environment's choice of an order in which C evaluates operands, as an input. Even: from left to right, or for
 * `x += e` the operand before the old value of `x`. Odd: the other order.
 */
const prefixes = { operands: 'order in ', 'old value': 'old value in ' } as const;
export type OrderChoice = keyof typeof prefixes;

export const orderInput = (choice: OrderChoice, text: string): string => `${prefixes[choice]}'${text}'`;
export const isOrderInput = (name: string): boolean =>
  Object.values(prefixes).some((prefix) => name.startsWith(`${prefix}'`));

/** `'f() + g()' is evaluated from right to left` */
export function formatOrder(name: string, value: unknown): string {
  const text = name.slice(name.indexOf("'"));
  const isOdd = Number(value) % 2 !== 0;
  return name.startsWith(prefixes.operands)
    ? `${text} is evaluated from ${isOdd ? 'right to left' : 'left to right'}`
    : `${text} reads the old value ${isOdd ? 'before' : 'after'} the right operand is evaluated`;
}
