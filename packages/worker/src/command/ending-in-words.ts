import type { SandboxResult } from '@sluice/core';

const limits: Readonly<Record<Exclude<SandboxResult['endedBy'], 'exit'>, string>> = {
  timeout: 'ran out of time',
  memory: 'ran out of memory',
  output: 'wrote too much output',
};

/** How a command ended, to be put after its name. */
export function endingInWords(result: SandboxResult): string {
  return result.endedBy === 'exit' ? `ended with exit code ${result.exitCode}` : limits[result.endedBy];
}
