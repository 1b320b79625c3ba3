import type { AgentCommandResult } from '@sluice/core';
import * as z from 'zod';
import { defineTool } from './agent-tool.ts';
import { shortenMiddle } from './shorten.ts';

const MAX_OUTPUT = 20_000; // characters; the first error and the summary stand at the two ends

export const runCommand = defineTool({
  name: 'run_command',
  description:
    "Runs a shell command in the repository's root, in a sandbox without network: a build, a type check, one test. Files of the repository are changed with the other tools. The service runs the whole test suite after you.",
  input: z.strictObject({ command: z.string().min(1).max(4_000) }),
  effect: 'exec',
  onReplay: 'report',
  async run(context, { command }) {
    const result = await context.runCommand({ command });
    const cut = result.truncated ? ' Its output was longer than what is kept.' : '';
    return `${ending(result)}${cut}\n${shortenMiddle(result.output, MAX_OUTPUT)}`;
  },
});

const endings: Record<Exclude<AgentCommandResult['endedBy'], 'exit'>, string> = {
  note: 'A person wrote a note: the command was stopped',
  timeout: 'Ended: it ran out of time',
  memory: 'Ended: it used too much memory',
  output: 'Ended: it wrote too much output',
  refused: 'Ended: it only waited for hosts that were refused',
};

function ending({ endedBy, exitCode, durationMs }: AgentCommandResult): string {
  const how = endedBy === 'exit' ? `Exit code ${exitCode ?? 'unknown'}` : endings[endedBy];
  return `${how}, after ${durationMs} ms.`;
}
