import type { ModelMessage } from 'ai';

/** One message of a conversation. */
export interface Said {
  /** `refused`: the SDK's own answer to a call that nobody could carry out. `mend`: what asks for a better answer. */
  readonly kind: 'request' | 'answer' | 'refused' | 'result' | 'note' | 'mend';
  /** As the journal has it. */
  readonly message: ModelMessage;
  /** As the model is sent it: an old result may have been shortened. */
  readonly sent: ModelMessage;
  /** What `sent` takes of the model's window, estimated. */
  readonly tokens: number;
}

const BYTES_PER_TOKEN = 3.5; // English and code come to about 4; other scripts have more bytes, and fewer of them to a token

export function said(kind: Said['kind'], message: ModelMessage, sent: ModelMessage = message): Said {
  return { kind, message, sent, tokens: estimatedTokens(sent) };
}

/** How many tokens a model may make of it. Rather too many than too few. */
export function estimatedTokens(value: unknown): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify(value)) / BYTES_PER_TOKEN);
}
