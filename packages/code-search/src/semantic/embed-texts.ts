import { untilAborted } from '@sluice/core/async';
import type { EmbedCall, Embedder } from '@sluice/core/code-search';
import { AppError } from '@sluice/core/error';
import { embeddedText, LONGEST_CHARS, SHORT_CHARS } from './embedded-text.ts';

export type EmbedTexts = (texts: readonly string[], call: EmbedCall) => Promise<readonly Float32Array[]>;

/** Embeds code; where the model refuses it, as for its length, by its beginning alone from then on. */
export function embedsTexts(embedder: Embedder): EmbedTexts {
  let longest = LONGEST_CHARS;
  const embed: EmbedTexts = async (texts, call) => {
    const cut = texts.map((text) => embeddedText(text, longest) ?? text.slice(0, longest));
    const vectors = await untilAborted(embedder.embed(cut, 'document', call), call.signal);
    if (vectors.length === texts.length) return vectors;
    throw new AppError('model_unavailable', { detail: 'The embedding model answered for another number of texts.' });
  };
  return async (texts, call) => {
    try {
      return await embed(texts, call);
    } catch (error) {
      if (longest === SHORT_CHARS || !isRefusal(error)) throw error;
      longest = SHORT_CHARS;
      return embed(texts, call);
    }
  };
}

function isRefusal(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'model_request_refused' || error.code === 'model_context_full');
}
