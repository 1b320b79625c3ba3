/** Why the service cannot start or go on, in a sentence for its operator that says what to do. Shown without a stack. */
export class StartError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'StartError';
  }
}

/** Why the data folder cannot be made or entered. */
export function dataFolderError(error: unknown): StartError {
  const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
  return new StartError(
    `The data folder cannot be made (${code}): set DATA_DIR to a folder that this user may write.`,
    {
      cause: error,
    },
  );
}
