import type { IssueEvent, LiveEvent } from '@sluice/core/issue';
import { expect, it } from 'vitest';
import { byRole } from '../model-answers.ts';
import { beginModelIssue } from '../model-issue.ts';
import { keyOf, type ModelServer, modelNames } from '../model-server.ts';
import { makeBuggyRepo } from '../scratch-repo.ts';

// Usual way: packages/agents/test/models/fallback.test.ts

const issue = { title: 'The value is broken', body: 'The check says so. Mend it.' };
const first = `anthropic/${modelNames.anthropic}`;
const second = `openai/${modelNames.openai}`;

const bothModels = (models: ModelServer) => ({
  ...models.environment('openai'),
  ...models.environment('anthropic'),
  MODEL: `${first}, ${second}`,
  MODEL_TRIAGE: `${first}, ${second}`,
  METRICS_PORT: '0',
});

const said = (events: readonly (IssueEvent | LiveEvent)[]) =>
  events.flatMap((event) =>
    event.type === 'agent.message' && event.data.agent === 'service' ? [event.data.text] : [],
  );

it.each([
  [401, 'refused the key. Set ANTHROPIC_API_KEY'],
  [529, 'is overloaded'],
])('lets the second model work when the first answers %i, and says who did', async (status, reason) => {
  const repo = makeBuggyRepo();
  const works = byRole({});
  await using it = await beginModelIssue({
    repo,
    issue,
    // What the vendor repeats of a key must not go on.
    script: (request) =>
      request.provider === 'anthropic' ? { failure: { status, message: `No: ${keyOf('anthropic')}` } } : works(request),
    environment: bothModels,
  });
  const { person, id, models } = it;
  await it.approve();
  const done = await person.reaches(id, 'completed');
  expect(repo.git('show', `${done.result?.branch}:value.txt`)).toBe('fixed');

  const events = await person.events(id);
  const skipped = said(events).filter((text) => text.includes('was skipped'));
  expect(skipped).toEqual([expect.stringContaining(reason)]);
  expect(skipped[0]).toMatch(new RegExp(`^${first} was skipped\\. .* ${second} answered instead\\.$`));
  // Overloaded, it is asked three times; then it is left alone for a while.
  const providers = models.requests().map(({ provider }) => provider);
  const tries = status === 529 ? 3 : 1;
  expect(providers.slice(0, tries).every((provider) => provider === 'anthropic')).toBe(true);
  expect(providers.slice(tries).every((provider) => provider === 'openai')).toBe(true);

  // What it did is shown as its own.
  expect(done.result?.summary).toContain(`Made by: ${second}.`);
  const details = events.flatMap((event) => (event.type === 'stage.completed' ? [event.data.detail ?? ''] : []));
  expect(details.filter((detail) => detail.includes(second))).toHaveLength(4);
  expect(details.join()).not.toContain(first);
  expect(done.usage.cost_usd).toBeGreaterThan(0);
  expect(JSON.stringify(events)).not.toContain('sk-canary');
});

it('goes on in the middle of a conversation with the second model, and names both', async () => {
  const repo = makeBuggyRepo();
  const works = byRole({});
  await using it = await beginModelIssue({
    repo,
    issue,
    script: (request) => {
      const isAway = request.provider === 'anthropic' && request.role === 'coder' && request.turn > 0;
      return isAway ? { failure: { status: 401, message: 'No more' } } : works(request);
    },
    environment: bothModels,
  });
  const { person, id, models } = it;
  await it.approve();
  const done = await person.reaches(id, 'completed');
  expect(repo.git('show', `${done.result?.branch}:value.txt`)).toBe('fixed');
  expect(done.result?.summary).toContain(`Made by: ${first}, ${second}.`);
  const asked = models.requests().map(({ provider, role, turn }) => `${provider} ${role} ${turn}`);
  expect(asked.slice(3)).toEqual(['anthropic coder 0', 'anthropic coder 1', 'openai coder 1', 'openai reviewer 0']);
  // The second one sees what the first one did.
  expect(models.requests()[5]?.results).toEqual(['Edited value.txt.']);
  const answers = { anthropic: 3 + 1, openai: 2 };
  expect(done.usage).toMatchObject({ input_tokens: 6 * 1_000, output_tokens: 6 * 50 });
  const metrics = await (await fetch(it.server.metricsUrl ?? '')).text();
  for (const provider of ['anthropic', 'openai'] as const) {
    const lines = metrics.split('\n').filter((line) => line.startsWith('sluice_model_answers_total{'));
    const own = lines.filter((line) => line.includes(`model="${provider}/`));
    expect(own.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)).toBe(answers[provider]);
  }
});
