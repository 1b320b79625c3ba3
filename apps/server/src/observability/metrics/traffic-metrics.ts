import type { IncomingMessage, ServerResponse } from 'node:http';
import { routeOf } from '@sluice/api';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { callOutcome } from '../call-outcome.ts';
import type { Observer } from '../observer.ts';

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const CALL_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1_800]; // from a short command to a whole test run
const WAIT_SECONDS = [0.1, 1, 10, 60, 600, 3_600, 21_600, 86_400]; // a pipeline at a gate may hold its slot for days
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);

export interface TrafficMetrics extends Pick<Observer, 'around' | 'requestCame' | 'textsEmbedded'> {
  limitRefused(limit: string): void;
  issueWaited(ms: number): void;
}

/** Metrics of requests, outbound calls and the wait for a slot. Labels never contain text from a caller or a repository. */
export function createTrafficMetrics(registry: Registry): TrafficMetrics {
  const registers = [registry];
  const open = new Set<ServerResponse>();
  const requests = new Histogram({
    name: 'sluice_http_request_duration_seconds',
    help: 'Duration of requests by route of the OpenAPI document ("none" if there is no such route). A stream is counted when it ends.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: REQUEST_SECONDS,
    registers,
  });
  new Gauge({
    name: 'sluice_open_streams',
    help: 'Open event streams.',
    registers,
    collect() {
      this.set([...open].filter(isStream).length);
    },
  });
  const refused = new Counter({
    name: 'sluice_limit_refusals_total',
    help: 'Requests refused by a rate limit.',
    labelNames: ['limit'] as const,
    registers,
  });
  const calls = new Histogram({
    name: 'sluice_call_duration_seconds',
    help: 'Duration of outbound calls. kind is codehost, command or model; outcome is "ok" or the error code.',
    labelNames: ['kind', 'name', 'outcome'] as const,
    buckets: CALL_SECONDS,
    registers,
  });
  const waits = new Histogram({
    name: 'sluice_queue_wait_seconds',
    help: 'Time that issues waited in the queue before they started.',
    buckets: WAIT_SECONDS,
    registers,
  });
  const embedding = createEmbeddingMetrics(registry);
  return {
    ...embedding,
    async around({ kind, name }, work) {
      const end = calls.startTimer({ kind, name });
      try {
        const result = await work();
        end({ outcome: 'ok' });
        return result;
      } catch (error) {
        end({ outcome: callOutcome(error) });
        throw error;
      }
    },
    requestCame(req, res) {
      open.add(res);
      const end = requests.startTimer({ method: methodOf(req) });
      res.once('close', () => {
        open.delete(res);
        end({ route: routeOf(res) ?? 'none', status: res.statusCode });
      });
    },
    limitRefused: (limit) => refused.inc({ limit }),
    issueWaited: (ms) => waits.observe(ms / 1_000),
  };
}

function methodOf({ method = '' }: IncomingMessage): string {
  return METHODS.has(method) ? method : 'other';
}

function isStream(res: ServerResponse): boolean {
  return res.headersSent && String(res.getHeader('content-type')).startsWith('text/event-stream');
}

/** Usage of the embedding model. Indexes and searches are shared between users, so no label names a user. */
function createEmbeddingMetrics(registry: Registry): Pick<Observer, 'textsEmbedded'> {
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
