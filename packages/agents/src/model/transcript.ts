import type { LanguageModelV4Prompt } from '@ai-sdk/provider';

interface CallResult {
  readonly ok: boolean;
  readonly text: string;
}

/** What has been said so far: the first request, and the result of each call. The built-in model has no other memory. */
export interface Transcript {
  readonly request: string;
  readonly results: ReadonlyMap<string, CallResult>;
}

/** Reads the transcript back from a prompt. */
export function readTranscript(prompt: LanguageModelV4Prompt): Transcript {
  const first = prompt.find((message) => message.role === 'user');
  const request = (first?.content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');
  const results = new Map<string, CallResult>();
  for (const message of prompt) {
    if (message.role !== 'tool') continue;
    for (const part of message.content) {
      if (part.type !== 'tool-result') continue;
      const { output } = part;
      if (output.type === 'text' || output.type === 'error-text') {
        results.set(part.toolCallId, { ok: output.type === 'text', text: output.value });
      }
    }
  }
  return { request, results };
}
