import type { ProjectCommands } from '@sluice/core';
import { detectCommands } from './detect-commands.ts';
import { failingTests } from './failing-tests.ts';

/** Finds how a repository installs itself and runs its tests, by its files, and reads what its tests printed. */
export function createProjectCommands(): ProjectCommands {
  return { detect: ({ files }) => detectCommands(files), failingTests };
}
