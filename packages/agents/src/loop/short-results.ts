import type { ToolResultPart } from 'ai';
import { runCommand } from '../tools/run-command.ts';
import { shortenMiddle } from '../tools/shorten.ts';
import { hasFailed, type TranscriptMessage, transcriptMessage } from './transcript.ts';

const KEPT_CHARACTERS = 400; // enough to recognise it, with both ends of a test run's output
const WORTH_CHARACTERS = 800; // below this, the note about the missing part would take the space that is saved
const MISSING = '(Shortened by the service to make room. Call the tool again if you need the rest.)';

/**
 * Shortens the first `results` tool results, except that of the newest failed command. Results that were shortened before
 * stay as they are: the less changes, the more of the provider's prompt cache stays valid.
 */
export function withShortResults(transcript: readonly TranscriptMessage[], results: number): TranscriptMessage[] {
  const spared = newestFailure(transcript);
  let count = 0;
  return transcript.map((one) => {
    if (one.message.role !== 'tool' || one.sent.role !== 'tool') return one;
    const { content: before } = one.sent;
    const content = one.message.content.map((part, index) => {
      if (part.type === 'tool-result') count += 1;
      const isOld = part.type === 'tool-result' && count <= results && part !== spared;
      return isOld ? shortened(part) : (before[index] ?? part);
    });
    return content.every((part, index) => part === before[index])
      ? one
      : transcriptMessage(one.kind, one.message, { ...one.sent, content });
  });
}

/** The number of tool results in these messages. */
export function resultCount(transcript: readonly TranscriptMessage[]): number {
  return transcript.reduce((sum, { message }) => {
    if (message.role !== 'tool') return sum;
    return sum + message.content.filter((part) => part.type === 'tool-result').length;
  }, 0);
}

function shortened(part: ToolResultPart): ToolResultPart {
  const { output } = part;
  if ((output.type !== 'text' && output.type !== 'error-text') || output.value.length <= WORTH_CHARACTERS) return part;
  return { ...part, output: { ...output, value: `${shortenMiddle(output.value, KEPT_CHARACTERS)}\n${MISSING}` } };
}

/** The failure that the agent most likely still works on. */
function newestFailure(transcript: readonly TranscriptMessage[]): ToolResultPart | null {
  for (const { message } of transcript.toReversed()) {
    if (message.role !== 'tool') continue;
    for (const part of message.content.toReversed()) {
      if (part.type === 'tool-result' && part.toolName === runCommand.name && hasFailed(part)) return part;
    }
  }
  return null;
}
