import { type ChromaServer, startChromaServer } from '@sluice/testing';
import { byRole } from '../model-answers.ts';
import { startModelServer } from '../model-server.ts';

/** A Chroma, a model that embeds for it, and what a process needs to find both. The built-in model goes on doing the work. */
export interface Vectors extends AsyncDisposable {
  readonly chroma: ChromaServer;
  readonly environment: Readonly<Record<string, string>>;
}

export async function openVectors(): Promise<Vectors> {
  const [chroma, models] = await Promise.all([startChromaServer(), startModelServer(byRole({}))]);
  const { MODEL: _model, MODEL_TRIAGE: _triage, ...reached } = models.environment('openai');
  return {
    chroma,
    environment: { ...reached, CHROMA_URL: chroma.url.href, EMBEDDING_MODEL: 'openai/text-embedding-3-small' },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([chroma[Symbol.asyncDispose](), models[Symbol.asyncDispose]()]);
    },
  };
}
