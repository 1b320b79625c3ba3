import type { ProjectCommands, TestOutput } from '@sluice/core';
import { detectCommands } from './detect-commands.ts';
import { projectFacts } from './project-facts.ts';
import { runInThread } from './run-in-thread.ts';

// A megabyte made to be slow takes under a second. The rest is for a busy machine, on which a thread starts in seconds.
const READING_TIMEOUT_MS = 30_000;
const READING_MEMORY_MB = 256; // the largest output and all of its lines take half of it

/**
 * Finds how a repository installs itself and runs its tests, by its files, and reads what its tests printed.
 *
 * @param options.reader the code of the thread that reads an output, where it is not our own
 */
export function createProjectCommands(
  options: { readonly reader?: URL; readonly timeoutMs?: number } = {},
): ProjectCommands {
  const script = options.reader ?? new URL('./read-tests-thread.ts', import.meta.url);
  return {
    detect: ({ files }) => detectCommands(files),
    facts: ({ files }) => projectFacts(files),
    async readTests(output, signal) {
      try {
        const read = await runInThread({
          script,
          name: 'test-output',
          input: output,
          memoryMb: READING_MEMORY_MB,
          timeoutMs: options.timeoutMs ?? READING_TIMEOUT_MS,
          signal,
        });
        return read as TestOutput;
      } catch {
        signal.throwIfAborted();
        return null;
      }
    },
  };
}
