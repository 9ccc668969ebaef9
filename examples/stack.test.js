const { loadC } = require('provest');

const stack = loadC('./stack.c');

test('the last number pushed is popped first', () => {
  stack.push(7);
  stack.push(9);
  expect(stack.pop()).toBe(9);
  expect(stack.pop()).toBe(7);
});

test('a full stack refuses', () => {
  for (let i = 0; i < 8; i++) expect(stack.push(i)).toBe(1);
  expect(stack.push(8)).toBe(0);
});

test('is verified', () => expect(stack).toBeVerified());
