/**
 * The proving process failed, which is our fault: ends the command with exit code 4. What comes after the first line of
 * the message is shown with `--verbose`.
 */
export class ProverFailure extends Error {
  constructor(message: string) {
    const [first = '', ...details] = message.replace(/^provest itself failed, sorry: /, '').split('\n');
    super(first);
    this.name = 'ProverFailure';
    this.stack = [first, ...details].join('\n');
  }
}
