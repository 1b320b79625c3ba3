import type { UserId } from '@sluice/core/id';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { StartError } from '../../process/start-error.ts';
import { createMetrics } from './create-metrics.ts';
import { serveMetrics } from './metrics-server.ts';

const quiet = pino({ level: 'silent' });
const user = '0198a1b2-0000-7000-8000-000000000001' as UserId;

async function served() {
  const metrics = createMetrics();
  const server = await serveMetrics(metrics, { host: '127.0.0.1', port: 0 }, quiet);
  return { metrics, telemetry: metrics.telemetry, url: server.url, [Symbol.asyncDispose]: () => server.close() };
}

it('shows what each user’s models used, by role and model, and what has no known price', async () => {
  await using server = await served();
  const answer = { userId: user, role: 'coder', model: 'openai/x' } as const;
  server.telemetry.modelAnswered({ ...answer, usage: { input_tokens: 100, output_tokens: 7, cost_usd: 0.25 } });
  server.telemetry.modelAnswered({ ...answer, usage: { input_tokens: 50, output_tokens: 3, cost_usd: null } });
  const text = await (await fetch(server.url)).text();
  const labels = `user_id="${user}",role="coder",model="openai/x"`;
  expect(text).toContain(`sluice_model_tokens_total{${labels},direction="input"} 150\n`);
  expect(text).toContain(`sluice_model_tokens_total{${labels},direction="output"} 10\n`);
  expect(text).toContain(`sluice_model_answers_total{${labels}} 2\n`);
  expect(text).toContain(`sluice_model_cost_usd_total{${labels}} 0.25\n`);
  expect(text).toContain(`sluice_model_answers_without_price_total{${labels}} 1\n`);
});

it('shows what the embedding model took, and what has no known price', async () => {
  await using server = await served();
  const { textsEmbedded } = server.metrics;
  textsEmbedded({ model: 'openai/e', usage: { input_tokens: 700, output_tokens: 0, cost_usd: 0.5 } });
  textsEmbedded({ model: 'openai/e', usage: { input_tokens: 50, output_tokens: 0, cost_usd: null } });
  const text = await (await fetch(server.url)).text();
  expect(text).toContain('sluice_embedding_tokens_total{model="openai/e"} 750\n');
  expect(text).toContain('sluice_embedding_cost_usd_total{model="openai/e"} 0.5\n');
  expect(text).toContain('sluice_embedding_answers_without_price_total{model="openai/e"} 1\n');
});

it('shows how long stages took and how well the first search did', async () => {
  await using server = await served();
  server.telemetry.stageEnded({ stage: 'plan', outcome: 'completed', durationMs: 2_000 });
  server.telemetry.retrievalJudged({ precision: 0.5, recall: 1 });
  const text = await (await fetch(server.url)).text();
  expect(text).toContain('sluice_stage_duration_seconds_sum{stage="plan",outcome="completed"} 2\n');
  expect(text).toContain('sluice_retrieval_precision_sum 0.5\n');
  expect(text).toContain('sluice_retrieval_recall_sum 1\n');
});

it('answers in the text format that Prometheus reads, with the process’s own figures', async () => {
  await using server = await served();
  const response = await fetch(server.url);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(await response.text()).toMatch(/^nodejs_eventloop_lag_seconds [\d.e-]+$/m);
});

it('shows the delay of the event loop to every scraper', async () => {
  await using server = await served();
  const shown = async () =>
    Number(/^sluice_event_loop_longest_delay_seconds ([\d.e-]+)$/m.exec(await (await fetch(server.url)).text())?.[1]);
  await expect.poll(shown).toBeGreaterThan(0); // the first measurement is there
  const until = performance.now() + 300;
  while (performance.now() < until);
  await expect.poll(shown).toBeGreaterThan(0.25);
  expect(await shown()).toBeGreaterThan(0.25);
});

it('answers 404 on every other path', async () => {
  await using server = await served();
  const other = await fetch(new URL('/api/issues', server.url));
  expect([other.status, await other.json()]).toEqual([404, { detail: 'Not found. This port serves /metrics only.' }]);
  const post = await fetch(server.url, { method: 'POST', body: 'x' });
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

it('names the variable to change when its port is in use', async () => {
  await using server = await served();
  const port = Number(new URL(server.url).port);
  await expect(serveMetrics(createMetrics(), { host: '127.0.0.1', port }, quiet)).rejects.toThrow(
    new StartError(
      `Port ${port} is in use by another program: stop that program, or set METRICS_PORT to another port (0 picks a free one).`,
    ),
  );
});
