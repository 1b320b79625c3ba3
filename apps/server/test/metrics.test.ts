import type { CodeHost } from '@sluice/core/code-host';
import { AppError } from '@sluice/core/error';
import { untilFound } from '@sluice/testing';
import { expect, it } from 'vitest';
import { createMetrics } from '../src/observability/metrics/create-metrics.ts';
import { observedCodeHost, observedModel } from '../src/observability/observed-ports.ts';
import { anIssue, anIssueAtGate } from './an-issue.ts';
import { signUp } from './http-session.ts';
import { startScratchServer } from './scratch-server.ts';

it('counts requests, queued issues, refusals and outgoing calls, without text from callers', async () => {
  await using server = await startScratchServer({ METRICS_PORT: '0', MAX_ACTIVE_PIPELINES: '1' });
  const read = async () => await (await fetch(server.metricsUrl ?? '')).text();
  const person = await signUp(server.url);
  const { id: first } = await anIssueAtGate(person);
  const { id: second } = await anIssue(person);
  const waiting = await read();
  expect(waiting).toContain('sluice_queued_issues 1\n');
  expect(waiting).toContain('sluice_active_issues 1\n');
  expect(Number(/^sluice_oldest_queued_seconds ([\d.]+)$/m.exec(waiting)?.[1])).toBeGreaterThan(0);
  expect(waiting).toContain('sluice_queue_wait_seconds_count 1\n');

  // A stream that is open: the queued issue's.
  const following = person.events(second, ({ type }) => type === 'stage.started');
  await untilFound(async () => (await read()).includes('sluice_open_streams 1\n'));
  await person.call('POST', `/api/issues/${first}/approve`, { action: 'approve' });
  await person.reaches(first, 'completed');
  await following;
  await untilFound(async () => (await read()).includes('sluice_open_streams 0\n'));

  for (let count = 0; count < 12; count += 1) {
    await person.call('POST', '/api/auth/login', { email: 'nobody@example.com', password: 'wrong wrong wrong' });
  }
  await person.call('GET', '/api/canary5b1f?q=canary5b1f');
  const text = await read();
  expect(text).toMatch(/^sluice_limit_refusals_total\{limit="\w+"\} \d+$/m);
  expect(text).toMatch(
    /^sluice_http_request_duration_seconds_count\{method="POST",route="\/api\/issues",status="201"\} 2$/m,
  );
  expect(text).toContain('sluice_http_request_duration_seconds_count{method="GET",route="none",status="404"} 1\n');
  expect(text).toMatch(/^sluice_call_duration_seconds_count\{kind="command",name="run",outcome="ok"\} \d+$/m);
  expect(text).toMatch(/^sluice_call_duration_seconds_count\{kind="model",name="builtin",outcome="ok"\} \d+$/m);
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
  expect(text).not.toMatch(/canary5b1f|nobody@/);
});

it('counts calls to the code host by their outcome', async () => {
  const metrics = createMetrics();
  const host = observedCodeHost(
    {
      account: async () => ({ id: '1' }),
      repo: async () => {
        throw new AppError('codehost_unavailable', { detail: 'canary5b1f' });
      },
    } as unknown as CodeHost,
    metrics.around,
  );
  const call = {} as Parameters<CodeHost['account']>[0];
  expect(await host.account(call)).toEqual({ id: '1' });
  await expect(host.repo(call, 'acme/canary5b1f')).rejects.toThrow('canary5b1f');
  const text = await metrics.print();
  expect(text).toContain('sluice_call_duration_seconds_count{kind="codehost",name="account",outcome="ok"} 1\n');
  expect(text).toContain(
    'sluice_call_duration_seconds_count{kind="codehost",name="repo",outcome="codehost_unavailable"} 1\n',
  );
  expect(text).not.toContain('canary5b1f');
});

it("counts a model's answer once, whether it is read completely, abandoned or refused", async () => {
  const metrics = createMetrics();
  const streamOf = (words: string[]) =>
    new ReadableStream<string>({
      start: (controller) => {
        for (const word of words) controller.enqueue(word);
        if (words.length > 1) controller.close();
      },
    });
  const model = observedModel(
    {
      specificationVersion: 'v4',
      async doStream(words: string[]) {
        if (words.length === 0) throw new AppError('model_overloaded');
        return { stream: streamOf(words), request: { body: 'q' } };
      },
    },
    { name: 'm', around: metrics.around },
  );
  expect(model.specificationVersion).toBe('v4');
  const whole = await model.doStream(['a', 'b']);
  expect(whole.request).toEqual({ body: 'q' });
  const words: string[] = [];
  for await (const word of whole.stream) words.push(word);
  expect(words).toEqual(['a', 'b']);
  const left = await model.doStream(['a']);
  await left.stream.cancel();
  await expect(model.doStream([])).rejects.toThrow(AppError);
  const text = await metrics.print();
  expect(text).toContain('sluice_call_duration_seconds_count{kind="model",name="m",outcome="ok"} 2\n');
  expect(text).toContain('sluice_call_duration_seconds_count{kind="model",name="m",outcome="model_overloaded"} 1\n');
});

it('shows how far monthly budgets are used, and how many issues they hold', async () => {
  const metrics = createMetrics();
  metrics.watchBudgets(async () => ({
    user: { held: 0, share: null },
    repo: { held: 2, share: 1.05 },
    installation: { held: 0, share: 0.5 },
  }));
  const text = await metrics.print();
  expect(text).toContain('sluice_budget_used_share{budget="repo"} 1.05\n');
  expect(text).toContain('sluice_budget_used_share{budget="installation"} 0.5\n');
  expect(text).not.toContain('sluice_budget_used_share{budget="user"}');
  expect(text).toContain('sluice_issues_held_by_budget{budget="repo"} 2\n');
});

it('shows for how long the job queue was silent, in a process that takes jobs from it alone', async () => {
  const metrics = createMetrics();
  expect(await metrics.print()).not.toContain('sluice_job_queue_silent_seconds');
  metrics.watchPolls(() => 31_500);
  expect(await metrics.print()).toContain('sluice_job_queue_silent_seconds 31.5\n');
});

it('omits the figures of an unresponsive database, and reports the others', async () => {
  const metrics = createMetrics();
  metrics.watchQueue(async () => {
    throw new Error('away');
  });
  metrics.watchBudgets(async () => {
    throw new Error('away');
  });
  const text = await metrics.print();
  expect(text).not.toMatch(/^sluice_(active_issues|budget_used_share|issues_held_by_budget)\S* \d/m);
  expect(text).toContain('sluice_open_streams 0');
});
