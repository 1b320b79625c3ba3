import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Observer } from '../observer.ts';
import { addEventLoopMetrics } from './event-loop-metrics.ts';
import { createTrafficMetrics, type TrafficMetrics } from './traffic-metrics.ts';

export interface Metrics extends Observer, Pick<TrafficMetrics, 'limitRefused' | 'watchQueue'> {
  /** The content type of `print`. */
  readonly contentType: string;
  /** What every figure of ours is. */
  describe(): readonly { name: string; type: string; help: string; labels: readonly string[] }[];
  /** All figures in Prometheus' text format. */
  print(): Promise<string>;
}

/** What prom-client keeps of each figure, though its types do not say so. */
interface Described {
  readonly name: string;
  readonly help: string;
  readonly type?: string;
  readonly labelNames: readonly string[];
}

const STAGE_SECONDS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 1_800, 3_600]; // from an index that is there to STAGE_TIMEOUT's usual double
const SHARES = [0, 0.1, 0.25, 0.5, 0.75, 0.9, 1];

/** What this process counts, for Prometheus. Counters begin at zero with the process, as Prometheus expects. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  addEventLoopMetrics(registry);
  const by = ['user_id', 'role', 'model'] as const;
  const answers = new Counter({
    name: 'sluice_model_answers_total',
    help: 'Answers of models.',
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
    help: 'What models cost, in US dollars, as far as prices are known.',
    labelNames: by,
    registers,
  });
  const unpriced = new Counter({
    name: 'sluice_model_answers_without_price_total',
    help: 'Answers of models whose price is unknown: their cost is in no figure.',
    labelNames: by,
    registers,
  });
  const stages = new Histogram({
    name: 'sluice_stage_duration_seconds',
    help: 'How long stage runs took.',
    labelNames: ['stage', 'outcome'] as const,
    buckets: STAGE_SECONDS,
    registers,
  });
  const precision = new Histogram({
    name: 'sluice_retrieval_precision',
    help: 'Of the files that the first search showed, the share that was changed in the end; one sample a published issue.',
    buckets: SHARES,
    registers,
  });
  const recall = new Histogram({
    name: 'sluice_retrieval_recall',
    help: 'Of the files that were changed in the end, the share that the first search showed; one sample a published issue.',
    buckets: SHARES,
    registers,
  });
  const traffic = createTrafficMetrics(registry);
  return {
    ...traffic,
    contentType: registry.contentType,
    describe: () =>
      (registry.getMetricsAsArray() as unknown as Described[])
        .filter(({ name }) => name.startsWith('sluice_'))
        .map(({ name, help, type, labelNames }) => ({ name, help, type: type ?? '', labels: labelNames })),
    print: () => registry.metrics(),
    telemetry: {
      modelAnswered({ userId, role, model, usage }) {
        const who = { user_id: userId, role, model };
        answers.inc(who);
        tokens.inc({ ...who, direction: 'input' }, usage.input_tokens);
        tokens.inc({ ...who, direction: 'output' }, usage.output_tokens);
        if (usage.cost_usd === null) unpriced.inc(who);
        else cost.inc(who, usage.cost_usd);
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
    },
  };
}
