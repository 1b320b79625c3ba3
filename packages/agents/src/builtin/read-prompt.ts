import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { isPerhapsDone } from '../tools/agent-tool.ts';
import { allFenced, fenced } from '../tools/fence.ts';

interface CallResult {
  readonly ok: boolean;
  readonly text: string;
}

/** The first request and the result of each call: the only memory of the built-in model. */
export interface Transcript {
  readonly request: string;
  readonly results: ReadonlyMap<string, CallResult>;
  /** Notes that people wrote meanwhile. */
  readonly notes: readonly string[];
  /** Why the change was returned; null when it was not. */
  readonly feedback: string | null;
}

/** Reads the transcript back from a prompt. */
export function readTranscript(prompt: LanguageModelV4Prompt): Transcript {
  const [request = '', ...later] = prompt.flatMap((message) => (message.role === 'user' ? [wordsOf(message)] : []));
  const results = new Map<string, CallResult>();
  for (const message of prompt) {
    if (message.role === 'user' && fenced('last_attempt', wordsOf(message)) !== null) forgetFailures(results);
    if (message.role !== 'tool') continue;
    for (const part of message.content) {
      if (part.type !== 'tool-result') continue;
      const { output } = part;
      if (output.type === 'text' || output.type === 'error-text') {
        results.set(part.toolCallId, { ok: output.type === 'text', text: output.value });
      }
    }
  }
  return {
    request,
    results,
    notes: later.flatMap((text) => allFenced('note', text)),
    feedback: [request, ...later].flatMap((text) => allFenced('feedback', text)).at(-1) ?? null,
  };
}

/** A retry makes the calls again that had failed, but not one that may have had its effect: that is looked at first. */
function forgetFailures(results: Map<string, CallResult>): void {
  for (const [id, { ok, text }] of results) {
    if (!ok && !isPerhapsDone(text)) results.delete(id);
  }
}

function wordsOf({ content }: Extract<LanguageModelV4Message, { role: 'user' }>): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
