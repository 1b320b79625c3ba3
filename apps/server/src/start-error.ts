/** Why the service cannot start or go on, in a sentence for its operator that says what to do. Shown without a stack. */
export class StartError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'StartError';
  }
}
