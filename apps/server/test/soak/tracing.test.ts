import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { IssueWire } from '@sluice/core/issue';
import type { RepoWire } from '@sluice/core/repo';
import { isSoakRun } from '@sluice/testing';
import { expect, it } from 'vitest';
import { signUp } from '../http-session.ts';
import { startOtlpReceiver } from '../otlp-receiver.ts';
import { fixingIssue, makeBuggyRepo } from '../scratch-repo.ts';
import { startScratchServer } from '../scratch-server.ts';

const CANARY = 'canary5b1f';

async function wholeIssue(url: string) {
  const person = await signUp(url, `${CANARY}-${Math.random()}@example.com`);
  const repo = makeBuggyRepo();
  const registered = await person.call<RepoWire>('POST', '/api/repos', { url: repo.path, instructions: CANARY });
  const created = await person.call<IssueWire>('POST', '/api/issues', {
    repo_id: registered.body.id,
    ...fixingIssue,
    title: `${CANARY} title`,
  });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const { id } = created.body;
  await person.reaches(id, 'awaiting_approval');
  await person.call('POST', `/api/issues/${id}/approve`, { action: 'approve' });
  await person.reaches(id, 'completed');
  await person.call('GET', `/api/issues?q=${CANARY}`);
  await person.call('GET', `/api/${CANARY}`);
  await person.call('GET', `/api/issues/${id}/history`);
  await person.call('GET', `/api/trpc/issues.get?input=${encodeURIComponent(JSON.stringify({ id }))}`);
  await person.call('GET', `/api/trpc/${CANARY}`);
  return { id, person, repo };
}

it('shows an issue as one trace and every request as one, without a word of what anybody wrote', async () => {
  await using collector = await startOtlpReceiver();
  const server = await startScratchServer({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-collector',
  });
  const { id, person, repo } = await wholeIssue(server.url);
  await server[Symbol.asyncDispose](); // sends what is left
  expect(collector.headers[0]?.authorization).toBe('Bearer of-the-collector');

  const traceId = id.replaceAll('-', '');
  const stages = collector.spans.filter(({ name }) => name.startsWith('stage '));
  expect(stages.map(({ name }) => name)).toEqual(
    ['prepare', 'index', 'triage', 'plan', 'implement', 'test', 'review', 'publish'].map((stage) => `stage ${stage}`),
  );
  for (const stage of stages) {
    expect(stage).toMatchObject({ traceId, failed: false });
    expect(stage.attributes).toMatchObject({ 'sluice.issue_id': id, 'sluice.outcome': 'completed' });
  }
  const below = (name: string) => {
    const parent = stages.find((stage) => stage.name === name)?.spanId;
    return collector.spans.filter(({ parentSpanId }) => parentSpanId === parent).map((span) => span.name);
  };
  expect(below('stage test')).toContain('command run');
  expect(below('stage plan')).toContain('model builtin');
  expect(
    collector.spans.filter(({ name }) => /^(command|model) /.test(name)).every((span) => span.traceId === traceId),
  ).toBe(true);

  const requests = collector.spans.filter(({ attributes }) => 'http.request.method' in attributes);
  const names = new Set(requests.map(({ name }) => name));
  for (const name of [
    'POST /api/issues',
    'POST /api/issues/{id}/approve',
    'GET /api/issues/{id}/events',
    'GET /api/issues',
    'GET none',
    'GET /api/trpc/issues.get',
    'GET /api/trpc/{procedure}',
  ]) {
    expect(names).toContain(name);
  }
  expect(requests.every((span) => span.parentSpanId === undefined || span.parentSpanId === '')).toBe(true);
  expect(requests.find(({ name }) => name === 'POST /api/issues')?.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/api/issues',
    'http.response.status_code': 201,
  });

  const all = collector.raw();
  const secrets = [
    CANARY,
    repo.path,
    'value.txt',
    'fixed',
    'passphrase',
    'of-the-collector',
    ...person.cookies().values(),
  ];
  for (const secret of secrets) expect(all).not.toContain(secret);
});

const collectors = [
  ['hangs', true],
  ['is away', false],
] as const;

it.each(collectors.slice(0, isSoakRun ? collectors.length : 1))(
  'goes on, and stops, as if nothing were, while the collector %s',
  async (_what, hangs) => {
    const collector = await startOtlpReceiver({ hangs });
    if (!hangs) await collector[Symbol.asyncDispose]();
    const server = await startScratchServer({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    await wholeIssue(server.url);
    const began = performance.now();
    await server[Symbol.asyncDispose]();
    expect(performance.now() - began).toBeLessThan(30_000); // who waits for a collector that hangs waits without an end
    if (hangs) await collector[Symbol.asyncDispose]();
  },
);

it('loads nothing of it where no collector is configured', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-tracing-'));
  const hooks = join(folder, 'hooks.mjs');
  writeFileSync(
    hooks,
    `import { registerHooks } from 'node:module';
     registerHooks({ resolve(name, context, next) { process._rawDebug('loads ' + name); return next(name, context); } });`,
  );
  const source = `
    import { startServer } from ${JSON.stringify(fileURLToPath(new URL('../../src/server.ts', import.meta.url)))};
    import { parseConfig } from ${JSON.stringify(fileURLToPath(new URL('../../src/config/parse-config.ts', import.meta.url)))};
    const config = { PORT: '0', DATA_DIR: ${JSON.stringify(folder)}, PATH: process.env.PATH };
    const server = await startServer(parseConfig(config), { logFile: ${JSON.stringify(join(folder, 'log'))} });
    await server.close();`;
  const script = join(folder, 'start.mjs');
  writeFileSync(script, source);
  const { status, stderr } = spawnSync(process.execPath, ['--import', hooks, script], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  });
  expect(status, stderr.slice(-1_000)).toBe(0);
  expect(stderr).toContain('loads pino');
  expect(stderr).not.toMatch(/loads @opentelemetry\/(sdk|exporter|otlp|resources)/);
});
