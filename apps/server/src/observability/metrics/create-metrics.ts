import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { AuditHead } from '@sluice/core/audit';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Observer } from '../observer.ts';
import { createLoadMetrics, type LoadMetrics } from './load-metrics.ts';
import { createTrafficMetrics, type TrafficMetrics } from './traffic-metrics.ts';

export interface Metrics extends Observer, LoadMetrics, Pick<TrafficMetrics, 'limitRefused'> {
  auditSealed(head: AuditHead): void;
  /** The content type of `print`. */
  readonly contentType: string;
  /** Name, type, help and labels of each metric of Sluice's own. */
  describe(): readonly { name: string; type: string; help: string; labels: readonly string[] }[];
  /** All metrics in Prometheus' text format. */
  print(): Promise<string>;
}

/** prom-client's metadata of a metric, which its types leave out. */
interface Described {
  readonly name: string;
  readonly help: string;
  readonly type?: string;
  readonly labelNames: readonly string[];
}

const STAGE_SECONDS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 1_800, 3_600]; // from an index that exists already to twice the default STAGE_TIMEOUT
const SHARES = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1];

/** The metrics of this process, for Prometheus. Counters start at zero with the process, as Prometheus expects. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  addEventLoopMetrics(registry);
  const by = ['user_id', 'role', 'model'] as const;
  const answers = new Counter({
    name: 'sluice_model_answers_total',
    help: 'Answers from models.',
    labelNames: by,
    registers,
  });
  const tokens = new Counter({
    name: 'sluice_model_tokens_total',
    help: 'Tokens that models read (input) and wrote (output).',
    labelNames: [...by, 'direction'] as const,
    registers,
  });
  const cost = new Counter({
    name: 'sluice_model_cost_usd_total',
    help: 'Cost of models in US dollars, where the price is known.',
    labelNames: by,
    registers,
  });
  const unpriced = new Counter({
    name: 'sluice_model_answers_without_price_total',
    help: 'Answers from models without a known price; their cost is not counted.',
    labelNames: by,
    registers,
  });
  const stages = new Histogram({
    name: 'sluice_stage_duration_seconds',
    help: 'Duration of stage attempts.',
    labelNames: ['stage', 'outcome'] as const,
    buckets: STAGE_SECONDS,
    registers,
  });
  const precision = new Histogram({
    name: 'sluice_retrieval_precision',
    help: 'Share of the files found by the first search that were changed in the end; one sample per published issue.',
    buckets: SHARES,
    registers,
  });
  const recall = new Histogram({
    name: 'sluice_retrieval_recall',
    help: 'Share of the changed files that the first search had found; one sample per published issue.',
    buckets: SHARES,
    registers,
  });
  const notifications = new Counter({
    name: 'sluice_notification_attempts_total',
    help: 'Attempts to deliver a notification: delivered, given_up, or pending while another attempt follows.',
    labelNames: ['channel', 'status'] as const,
    registers,
  });
  const auditSeal = new Gauge({
    name: 'sluice_audit_seal',
    help: 'Number of the last seal of the audit log that this process has made.',
    registers,
  });
  const traffic = createTrafficMetrics(registry);
  return {
    ...traffic,
    ...createLoadMetrics(registry),
    auditSealed: ({ number }) => auditSeal.set(number),
    contentType: registry.contentType,
    describe: () =>
      (registry.getMetricsAsArray() as unknown as Described[])
        .filter(({ name }) => name.startsWith('sluice_'))
        .map(({ name, help, type, labelNames }) => ({ name, help, type: type ?? '', labels: labelNames })),
    print: () => registry.metrics(),
    telemetry: {
      modelAnswered({ userId, role, model, usage }) {
        const labels = { user_id: userId, role, model };
        answers.inc(labels);
        tokens.inc({ ...labels, direction: 'input' }, usage.input_tokens);
        tokens.inc({ ...labels, direction: 'output' }, usage.output_tokens);
        if (usage.cost_usd === null) unpriced.inc(labels);
        else cost.inc(labels, usage.cost_usd);
      },
      duringStage({ waitedMs }, work) {
        if (waitedMs !== null) traffic.issueWaited(waitedMs);
        return work();
      },
      stageEnded({ stage, outcome, durationMs }) {
        stages.observe({ stage, outcome }, durationMs / 1_000);
      },
      retrievalJudged(judgement) {
        precision.observe(judgement.precision);
        recall.observe(judgement.recall);
      },
      notificationAttempted(attempt) {
        notifications.inc(attempt);
      },
    },
  };
}

const SAMPLE_MS = 20; // the precision of the measurement; it costs fifty timers a second

/** Minimum time for which a delay is reported, so that a Prometheus that scrapes once a minute sees it. */
const SHOWN_MS = 60_000;

/**
 * Adds the longest delay of the event loop in the last one to two minutes. Resetting it at each scrape would let a second
 * scraper, or a browser, hide it from the first.
 */
function addEventLoopMetrics(registry: Registry): void {
  const delays = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  delays.enable();
  // Each sample is the time since the one before, so it holds the pause between two samples as well.
  const longest = () => Math.max(0, delays.max / 1e9 - SAMPLE_MS / 1_000);
  let lastMinute = 0;
  setInterval(() => {
    lastMinute = longest();
    delays.reset();
  }, SHOWN_MS).unref();
  new Gauge({
    name: 'sluice_event_loop_longest_delay_seconds',
    help: 'Longest time for which the event loop was blocked in the last one to two minutes.',
    registers: [registry],
    collect() {
      this.set(Math.max(lastMinute, longest()));
    },
  });
}
