/** Why the service cannot start or continue, and what the operator can do. Shown without a stack trace. */
export class StartError extends Error {
  /** Whether another process has the data folder, or its folder of working trees. */
  readonly isInUse: boolean;

  constructor(message: string, { isInUse = false, ...options }: { cause?: unknown; isInUse?: boolean } = {}) {
    super(message, options);
    this.name = 'StartError';
    this.isInUse = isInUse;
  }
}

/** Why the data folder cannot be created or opened. */
export function dataFolderError(error: unknown): StartError {
  const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
  return new StartError(
    `The data folder cannot be created (${code}): set DATA_DIR to a folder that this user can write to.`,
    {
      cause: error,
    },
  );
}
