import type { ToolResultPart } from 'ai';
import { runCommand } from '../tools/run-command.ts';
import { shortenMiddle } from '../tools/shorten.ts';
import { type Said, said } from './said.ts';

const KEPT_CHARACTERS = 400; // says what it was about; both ends of a test run's output among it
const WORTH_CHARACTERS = 800; // below it the note on what is missing takes what the rest gives
const MISSING = '(Shortened by the service to make room. Call the tool again if you need the rest.)';

/**
 * The first `results` results of tools in short, except that of the newest command that failed. What has been shortened
 * before stays as it is sent: the less changes, the more of the provider's prompt cache holds.
 */
export function withShortResults(all: readonly Said[], results: number): Said[] {
  const spared = newestFailure(all);
  let count = 0;
  return all.map((one) => {
    if (one.message.role !== 'tool' || one.sent.role !== 'tool') return one;
    const { content: before } = one.sent;
    const content = one.message.content.map((part, index) => {
      if (part.type === 'tool-result') count += 1;
      const isOld = part.type === 'tool-result' && count <= results && part !== spared;
      return isOld ? shortened(part) : (before[index] ?? part);
    });
    return content.every((part, index) => part === before[index])
      ? one
      : said(one.kind, one.message, { ...one.sent, content });
  });
}

/** How many results of tools these messages hold. */
export function resultCount(all: readonly Said[]): number {
  return all.reduce((sum, { message }) => {
    if (message.role !== 'tool') return sum;
    return sum + message.content.filter((part) => part.type === 'tool-result').length;
  }, 0);
}

function shortened(part: ToolResultPart): ToolResultPart {
  const { output } = part;
  if ((output.type !== 'text' && output.type !== 'error-text') || output.value.length <= WORTH_CHARACTERS) return part;
  return { ...part, output: { ...output, value: `${shortenMiddle(output.value, KEPT_CHARACTERS)}\n${MISSING}` } };
}

/** What the agent most likely still works on. */
function newestFailure(all: readonly Said[]): ToolResultPart | null {
  for (const { message } of all.toReversed()) {
    if (message.role !== 'tool') continue;
    for (const part of message.content.toReversed()) {
      if (part.type === 'tool-result' && part.toolName === runCommand.name && !hasSucceeded(part)) return part;
    }
  }
  return null;
}

function hasSucceeded({ output }: ToolResultPart): boolean {
  return output.type === 'text' && output.value.startsWith('Exit code 0,');
}
