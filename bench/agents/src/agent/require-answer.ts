import { tryToolCall } from '@sluice/agents';
import { AppError } from '@sluice/core/error';
import { UsageError } from '../usage/usage-error.ts';
import { openModel } from './open-model.ts';

/**
 * Asks a model for one call of a tool, which costs less than a cent: a wrong key, a wrong name and an empty account are found
 * before anything else runs.
 *
 * @param name the configured name
 * @throws UsageError when it does not answer
 * @throws ConfigError when its key or address is missing
 */
export async function requireAnswer(name: string): Promise<void> {
  const { choice, url } = openModel(name);
  try {
    const { isCalled } = await tryToolCall(choice);
    if (!isCalled)
      process.stderr.write(
        `${name} answered without calling a tool. If it does so in the run, nothing is solved: docs/models.md says how servers are started for that.\n`,
      );
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new UsageError(`Nothing has run: ${name} at ${url} cannot be used. ${error.message}`);
  }
}
