import type { ToldAbout } from '@sluice/core/agent';
import type { ModelMessage, ToolCallPart, ToolResultPart } from 'ai';
import type { AnsweredCall } from '../roles/role-definition.ts';
import { isPerhapsDone } from '../tools/agent-tool.ts';
import { runCommand } from '../tools/run-command.ts';

/** One message of a conversation. */
export interface TranscriptMessage {
  /**
   * `refused`: the SDK's own result for a call that it could not parse. `correction`: asks for a better answer. `opening`:
   * the first message of a later round in the same conversation. `told`: the service says how the work goes.
   */
  readonly kind: 'request' | 'answer' | 'refused' | 'result' | 'note' | 'correction' | 'opening' | 'told';
  /** The message in the journal. */
  readonly message: ModelMessage;
  /** The message that is sent to the model: an old result may have been shortened. */
  readonly sent: ModelMessage;
  /** Estimated tokens of `sent`. */
  readonly tokens: number;
  /** The subject of a message by the service. */
  readonly about?: ToldAbout;
  /** The commit of the working tree after the calls of an answer, where they may have changed it. */
  readonly tree?: string;
}

/** The bytes of a request's JSON in one token. */
export const BYTES_PER_TOKEN = 3.5; // English and code come to about 4; other scripts use more bytes, but fewer of them a token

export function transcriptMessage(
  kind: TranscriptMessage['kind'],
  message: ModelMessage,
  sent: ModelMessage = message,
): TranscriptMessage {
  return { kind, message, sent, tokens: estimatedTokens(sent) };
}

/** Estimates the tokens of a value, rather too many than too few. */
export function estimatedTokens(value: unknown): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify(value)) / BYTES_PER_TOKEN);
}

/** The messages of this round, without those of earlier rounds in the same conversation. */
export function inThisRound(transcript: readonly TranscriptMessage[]): readonly TranscriptMessage[] {
  return transcript.slice(transcript.findLastIndex(({ kind }) => kind === 'opening') + 1);
}

export interface CallWithResult {
  readonly call: ToolCallPart;
  readonly result: ToolResultPart;
  /** The number of the answer that made the call, from 0. */
  readonly turn: number;
}

/** All calls that have a result, in the order of the results. Call ids are unique only within one answer. */
export function callsWithResults(transcript: readonly TranscriptMessage[]): CallWithResult[] {
  const found: CallWithResult[] = [];
  let calls = new Map<string, ToolCallPart>();
  let turn = -1;
  for (const { message } of transcript) {
    if (message.role === 'assistant' && typeof message.content !== 'string') {
      const parts = message.content.filter((part) => part.type === 'tool-call');
      calls = new Map(parts.map((part) => [part.toolCallId, part]));
      turn += 1;
    }
    if (message.role !== 'tool') continue;
    for (const result of message.content) {
      const call = result.type === 'tool-result' ? calls.get(result.toolCallId) : undefined;
      if (result.type === 'tool-result' && call !== undefined) found.push({ call, result, turn });
    }
  }
  return found;
}

/** The same calls in the form that a role's `finish` gets. */
export function answeredCalls(transcript: readonly TranscriptMessage[]): AnsweredCall[] {
  return callsWithResults(transcript).map(({ call, result }) => ({
    tool: call.toolName,
    input: call.input,
    outcome: outcomeOf(result),
    text: 'value' in result.output && typeof result.output.value === 'string' ? result.output.value : '',
  }));
}

/** The outcome of a call, by its result. */
export function outcomeOf({ output }: ToolResultPart): AnsweredCall['outcome'] {
  if (output.type !== 'error-text') return 'done';
  return isPerhapsDone(output.value) ? 'unknown' : 'refused';
}

/** The text of a result; of any other form its JSON. */
export function resultText({ output }: ToolResultPart): string {
  return 'value' in output && typeof output.value === 'string' ? output.value : JSON.stringify(output);
}

/** Whether a call was refused, or was a command that did not end well. */
export function hasFailed({ toolName, output }: ToolResultPart): boolean {
  if (output.type !== 'text') return true;
  return toolName === runCommand.name && !output.value.startsWith('Exit code 0,');
}
