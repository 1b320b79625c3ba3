import { authorizeIssue, decideGate, type Issue, type IssueStore, systemTimers } from '@sluice/core';
import { openPostgres } from '@sluice/db';
import { byUser } from '@sluice/testing';
import { createGraphileDriver } from '../src/queue/graphile-driver.ts';
import { openWorld } from '../test/world.ts';
const [, , url = '', cap = '', owner = ''] = process.argv;
const say = (level: string) => (f: any, m: string) => process.stderr.write(`${Date.now() % 1000000} ${owner} ${level} ${m} ${JSON.stringify(f, (k, v) => v instanceof Error ? { m: v.message, c: (v as any).code, s: v.stack?.split('\n').slice(0,4), cause: (v as any).cause } : v)}\n`);
const log = { info: say('info'), warn: say('warn'), error: say('error') };
const driver = createGraphileDriver({ url, applicationName: owner, timers: systemTimers, log });
const world = await openWorld({ cap: Number(cap), open: ({ signals, cap }) => openPostgres({ url, applicationName: owner, clock: { now: () => new Date() }, maxActivePipelines: cap, queue: driver.queue, onEvents: (hint) => signals.eventsWritten(hint) }) });
const issues: IssueStore = { ...world.issues, apply: async (change) => {
  const outcome = await world.issues.apply(change);
  if (outcome.kind !== 'applied') { log.warn({ change }, 'not applied'); return outcome; }
  if (outcome.issue.gate !== null) approve(outcome.issue);
  return outcome;
} };
function approve({ id, userId, gate, status }: Issue): void {
  if (gate === null) return;
  const { signal } = new AbortController();
  const cipher = { encrypt: () => ({ encrypted: '', nonce: '' }), decrypt: () => '' };
  authorizeIssue(world, userId, id)
    .then((issue) => decideGate({ ...world, bases: world.host.bases, cipher, codehost: null, codehostTokens: null }, issue, { decision: { action: 'approve' }, by: byUser(userId), signal }))
    .catch((err) => { if (status === 'human_review') return; if (status !== 'planning' || err.code !== 'x') log.warn({ id, status, code: err.code, m: err.message.slice(0, 100), cause: String(err.cause) }, 'approve failed'); });
}
const { worker } = world.makeWorker({ driver, deps: { issues, log }, options: { owner, maintenanceMs: 20_000, stageTimeoutMs: 35_000, gateTimeoutMs: 50_000 } });
const at0 = process.cpuUsage();
process.on('message', async (told) => {
  if (told === 'go') await worker.start();
  if (told !== 'stop') return;
  const { user, system } = process.cpuUsage(at0);
  await worker.stop({ graceMs: 5_000 });
  await driver.close();
  await world.close();
  process.send?.({ cpuMs: (user + system) / 1000 }, () => process.disconnect());
});
process.send?.('ready');
