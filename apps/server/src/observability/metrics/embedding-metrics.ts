import { Counter, type Registry } from 'prom-client';
import type { Observer } from '../observer.ts';

/** Usage of the embedding model. Indexes and searches are shared between users, so no label names a user. */
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
    help: 'Cost of the embedding model in US dollars, where the price is known.',
    labelNames,
    registers,
  });
  const unpriced = new Counter({
    name: 'sluice_embedding_answers_without_price_total',
    help: 'Answers of the embedding model without a known price or token count; their cost is not counted.',
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
