import type { IncomingMessage, ServerResponse } from 'node:http';
import { routeOf } from '@sluice/api';
import { createSingleFlight } from '@sluice/core/async';
import { type BudgetLoad, budgetKinds } from '@sluice/core/budget';
import type { QueueLoad } from '@sluice/core/issue';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { callOutcome } from '../call-outcome.ts';
import type { Observer } from '../observer.ts';

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const CALL_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1_800]; // from a short command to a whole test run
const WAIT_SECONDS = [0.1, 1, 10, 60, 600, 3_600, 21_600, 86_400]; // a pipeline at a gate may hold its slot for days
const LOAD_TIMEOUT_MS = 2_000; // an unavailable database must not delay the other metrics
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);

export interface TrafficMetrics extends Pick<Observer, 'around' | 'requestCame' | 'textsEmbedded'> {
  limitRefused(limit: string): void;
  issueWaited(ms: number): void;
  /** Sets the source of the queue metrics, read at each scrape. */
  watchQueue(load: () => Promise<QueueLoad>): void;
  /** Sets the source of the heartbeat of the job queue, in a process that takes jobs from it. */
  watchPolls(silentMs: () => number): void;
  /** Sets the source of the metrics of monthly budgets, read at each scrape. */
  watchBudgets(load: () => Promise<BudgetLoad>): void;
}

/** Metrics of requests, outbound calls, the queue and budgets. Labels never contain text from a caller or a repository. */
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
    watchQueue: (load) => addQueueGauges(registers, sharedRead(load)),
    watchPolls: (silentMs) => {
      new Gauge({
        name: 'sluice_job_queue_silent_seconds',
        help: 'Time since this process last polled the job queue with success; 0 while it runs as many issues as it can. Absent in embedded mode and where ROLE=api.',
        registers,
        collect() {
          this.set(silentMs() / 1_000);
        },
      });
    },
    watchBudgets: (load) => addBudgetGauges(registers, sharedRead(load)),
  };
}

function methodOf({ method = '' }: IncomingMessage): string {
  return METHODS.has(method) ? method : 'other';
}

function isStream(res: ServerResponse): boolean {
  return res.headersSent && String(res.getHeader('content-type')).startsWith('text/event-stream');
}

/** One read serves all metrics of a scrape, and concurrent scrapes. Null when the database does not answer in time. */
function sharedRead<T>(load: () => Promise<T>): () => Promise<T | null> {
  const reads = createSingleFlight<'load', T | null>();
  return () => reads.run('load', () => withTimeoutOrNull(LOAD_TIMEOUT_MS, load()));
}

function addQueueGauges(registers: Registry[], read: () => Promise<QueueLoad | null>): void {
  const gauge = (name: string, help: string, figure: (now: QueueLoad) => number) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const now = await read();
        if (now === null)
          this.remove(); // no value is better than a stale one
        else this.set(figure(now));
      },
    });
  gauge('sluice_queued_issues', 'Issues waiting for a slot.', ({ queued }) => queued);
  gauge('sluice_active_issues', 'Issues that hold a slot, including those waiting at a gate.', ({ active }) => active);
  gauge(
    'sluice_gates_holding_slots_over_a_day',
    'Issues that have waited at a gate for more than a day while holding a slot; see GATE_KEEPS_SLOT.',
    ({ longAtGate }) => longAtGate,
  );
  gauge(
    'sluice_oldest_queued_seconds',
    'Age of the oldest queued issue; 0 if the queue is empty.',
    ({ oldestQueuedMs }) => oldestQueuedMs / 1_000,
  );
}

async function withTimeoutOrNull<T>(ms: number, work: Promise<T>): Promise<T | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), ms);
  try {
    return await Promise.race([work.catch(() => null), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Adds the gauges of monthly budgets. @param read null when the database does not answer: then there are no values */
function addBudgetGauges(registers: Registry[], read: () => Promise<BudgetLoad | null>): void {
  const gauge = (name: string, help: string, figure: (of: BudgetLoad[keyof BudgetLoad]) => number | null) =>
    new Gauge({
      name,
      help,
      labelNames: ['budget'] as const,
      registers,
      async collect() {
        this.reset(); // no value is better than a stale one
        const now = await read();
        if (now === null) return;
        for (const budget of budgetKinds) {
          const value = figure(now[budget]);
          if (value !== null) this.set({ budget }, value);
        }
      },
    });
  gauge(
    'sluice_budget_used_share',
    'Used share of the monthly budget closest to its end (1 = used up), of all users, all repositories or the installation; absent where none is set.',
    ({ share }) => share,
  );
  gauge('sluice_issues_held_by_budget', 'Issues that wait because a monthly budget is used up.', ({ held }) => held);
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
