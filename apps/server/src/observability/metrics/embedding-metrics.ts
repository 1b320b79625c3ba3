import { Counter, type Registry } from 'prom-client';
import type { Observer } from '../observer.ts';

/** What the embedding model takes. An index is its repository's and a search is anybody's, so no label names a user. */
export function createEmbeddingMetrics(registry: Registry): Pick<Observer, 'textsEmbedded'> {
  const registers = [registry];
  const labelNames = ['model'] as const;
  const tokens = new Counter({
    name: 'sluice_embedding_tokens_total',
    help: 'Tokens that the embedding model read, for indexes and searches.',
    labelNames,
    registers,
  });
  const cost = new Counter({
    name: 'sluice_embedding_cost_usd_total',
    help: 'What the embedding model cost, in US dollars, as far as its price is known.',
    labelNames,
    registers,
  });
  const unpriced = new Counter({
    name: 'sluice_embedding_answers_without_price_total',
    help: 'Answers of the embedding model whose price, or whose count of tokens, is unknown: their cost is in no figure.',
    labelNames,
    registers,
  });
  return {
    textsEmbedded({ model, usage }) {
      tokens.inc({ model }, usage.input_tokens);
      if (usage.cost_usd === null) unpriced.inc({ model });
      else cost.inc({ model }, usage.cost_usd);
    },
  };
}
