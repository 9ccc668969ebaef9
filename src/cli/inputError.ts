/** The call is wrong: an option, a file, a name. Ends the command with exit code 3 and says what to do. */
export class InputError extends Error {
  constructor(
    message: string,
    readonly suggestion?: string,
  ) {
    super(message);
    this.name = 'InputError';
  }
}
