import type { IncomingMessage, ServerResponse } from 'node:http';
import { routeOf } from '@sluice/api';
import type { QueueLoad } from '@sluice/core';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { callOutcome } from '../call-outcome.ts';
import type { Observer } from '../observer.ts';
import { createEmbeddingMetrics } from './embedding-metrics.ts';

const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const CALL_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1_800]; // from a short command to a whole test run
const WAIT_SECONDS = [0.1, 1, 10, 60, 600, 3_600, 21_600, 86_400]; // a pipeline that waits for a person holds its slot for days
const LOAD_MS = 2_000; // a database that is away must not keep the other figures back
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);

export interface TrafficMetrics extends Pick<Observer, 'around' | 'requestCame' | 'textsEmbedded'> {
  limitRefused(limit: string): void;
  issueWaited(ms: number): void;
  /** Where the queue's figures are read at each look. */
  watchQueue(load: () => Promise<QueueLoad>): void;
}

/** What comes in, what goes out, and what waits. Labels are words of ours: never what a caller or a repository wrote. */
export function createTrafficMetrics(registry: Registry): TrafficMetrics {
  const registers = [registry];
  const open = new Set<ServerResponse>();
  const requests = new Histogram({
    name: 'sluice_http_request_duration_seconds',
    help: 'How long requests took, by route as in the OpenAPI document ("none" for what is no route); a stream counts when it ends.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: REQUEST_SECONDS,
    registers,
  });
  new Gauge({
    name: 'sluice_open_streams',
    help: 'Streams of events that are open now.',
    registers,
    collect() {
      this.set([...open].filter(isStream).length);
    },
  });
  const refused = new Counter({
    name: 'sluice_limit_refusals_total',
    help: 'Requests that a rate limit refused, by limit.',
    labelNames: ['limit'] as const,
    registers,
  });
  const calls = new Histogram({
    name: 'sluice_call_duration_seconds',
    help: 'Calls to what is outside: kind is codehost, command or model; outcome is "ok" or the code of the error.',
    labelNames: ['kind', 'name', 'outcome'] as const,
    buckets: CALL_SECONDS,
    registers,
  });
  const waits = new Histogram({
    name: 'sluice_queue_wait_seconds',
    help: 'How long issues waited in the queue before they started.',
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
    watchQueue: (load) => addQueueGauges(registers, load),
  };
}

function methodOf({ method = '' }: IncomingMessage): string {
  return METHODS.has(method) ? method : 'other';
}

function isStream(res: ServerResponse): boolean {
  return res.headersSent && String(res.getHeader('content-type')).startsWith('text/event-stream');
}

function addQueueGauges(registers: Registry[], load: () => Promise<QueueLoad>): void {
  let looking: Promise<QueueLoad | null> | null = null;
  // One look for all figures, and for all who ask at once.
  const look = () => {
    looking ??= within(LOAD_MS, load()).finally(() => {
      looking = null;
    });
    return looking;
  };
  const gauge = (name: string, help: string, figure: (now: QueueLoad) => number) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const now = await look();
        if (now === null)
          this.remove(); // no figure is better than one of before
        else this.set(figure(now));
      },
    });
  gauge('sluice_queued_issues', 'Issues that wait for a slot.', ({ queued }) => queued);
  gauge(
    'sluice_active_issues',
    'Issues that hold a slot, those that wait for a person among them.',
    ({ active }) => active,
  );
  gauge(
    'sluice_gates_holding_slots_over_a_day',
    'Issues that have waited for a person for more than a day and hold a slot meanwhile; see GATE_KEEPS_SLOT.',
    ({ longAtGate }) => longAtGate,
  );
  gauge(
    'sluice_oldest_queued_seconds',
    'How long the issue that has waited longest waits; 0 when none does.',
    ({ oldestQueuedMs }) => oldestQueuedMs / 1_000,
  );
}

async function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  const late = Promise.withResolvers<null>();
  const timer = setTimeout(() => late.resolve(null), ms);
  try {
    return await Promise.race([work.catch(() => null), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
