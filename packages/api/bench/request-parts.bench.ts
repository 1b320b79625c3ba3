import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { callerOf } from '@sluice/core/access';
import { toUserProfileWire, userProfileWire } from '@sluice/core/account';
import type { SessionId, UserId } from '@sluice/core/id';
import { issueWire, toIssueWire } from '@sluice/core/issue';
import { createMemoryLimiter } from '@sluice/redis';
import { aNewIssue, aNewRepo, aNewUser, newId } from '@sluice/testing';
import type { Request, Response } from 'express';
import { it } from 'vitest';
import { createSessionTokens } from '../src/identity/session/session-tokens.ts';
import { pageWire } from '../src/input/page-query.ts';
import { createOpenRequest } from '../src/procedure/open-request.ts';
import type { ApiService } from '../src/procedure/request-context.ts';
import { logAccess } from '../src/transport/http/access-log.ts';
import { pathOfTarget } from '../src/transport/http/request-target.ts';
import { securityHeaders } from '../src/transport/http/security-headers.ts';
import { createFindRoute } from '../src/transport/rest/find-route.ts';
import { routeTable } from '../src/transport/rest/route-table.ts';
import { appRouter } from '../src/transport/trpc/app-router.ts';
import { median } from './median.ts';
import { clock, openStores } from './open-stores.ts';

const ROUNDS = 7;
const TIMES = 2_000;

/** CPU of this process for one of `work`, in microseconds: the threads of libuv are counted too. */
async function cost(work: () => unknown): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage();
    for (let time = 0; time < TIMES; time += 1) await work();
    const { user, system } = process.cpuUsage(before);
    rounds.push((user + system) / TIMES);
  }
  return median(rounds.slice(1));
}

it('lists what a read pays beyond its SQL', { timeout: 600_000 }, async () => {
  const { stores } = await openStores();
  await using _ = stores;
  const created = await stores.users.create(aNewUser({ id: newId<UserId>() }));
  if (created.kind !== 'created') throw new Error('The user was not created.');
  const { user } = created;
  const expiresAt = new Date(Date.now() + 3_600_000);
  const session = await stores.sessions.create({ id: newId<SessionId>(), userId: user.id, expiresAt });
  if (session === null) throw new Error('The session was not given.');
  for (let made = 0; made < 20; made += 1) {
    const repo = aNewRepo({ userId: user.id });
    await stores.repos.create(repo);
    await stores.issues.create(aNewIssue({ userId: user.id, repoId: repo.id }), { queue: false });
  }
  const tokens = createSessionTokens({ clock }, new Uint8Array(32).fill(7));
  const token = await tokens.sign(session);
  const limiter = createMemoryLimiter();
  const log = { info: (fields: object) => void JSON.stringify(fields), warn: () => {}, error: () => {} };
  const { items } = await stores.issues.list({ readableBy: callerOf(user.id), limit: 20, cursor: null });
  const profile = toUserProfileWire(user);
  const page = { items: items.map(toIssueWire), next_cursor: null };
  const pageSchema = pageWire(issueWire);
  const headers = securityHeaders({ publicUrl: new URL('http://127.0.0.1') });
  const findRoute = createFindRoute(routeTable(appRouter));
  const found = findRoute('GET', '/auth/me');
  if (found === null || !('route' in found)) throw new Error('There is no such route.');
  const service = { options: { trustProxy: [] }, clock, tokens, sessions: stores.sessions, noteSeen: async () => {} };
  const openRequest = createOpenRequest(service as unknown as ApiService);
  const exchange = () => {
    const req = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: '/api/auth/me' });
    return { req: req as unknown as Request, res: new ServerResponse(req) as unknown as Response };
  };
  const ready = exchange();
  const actor = { user, session };
  const admitted = {
    ...openRequest(ready),
    admit: async () => ({ actor, settle: null }),
    actorNow: async () => actor,
  };

  const parts: Record<string, () => unknown> = {
    'session: the token': () => tokens.verify(token),
    'session: its row': () => stores.sessions.find(session.id),
    'rate limit (no reads, for writes only)': () => limiter.consume('mutation', newId()),
    'output schema of a profile': () => userProfileWire.parse(profile),
    'output schema of 20 issues': () => pageSchema.parse(page),
    'security headers': () => {
      for (const [name, value] of headers) ready.res.setHeader(name, value);
    },
    'path and route': () => findRoute('GET', (pathOfTarget('/api/auth/me') ?? '').slice(4)),
    'the procedure as tRPC calls it, without session and row': () => found.route.call(admitted, async () => ({})),
    'context of the request': () => openRequest(ready),
    'access log': () => {
      logAccess(log, ready, { requestId: 'a', ip: '127.0.0.1' });
      ready.res.emit('close');
    },
  };
  for (const [name, work] of Object.entries(parts)) {
    process.stdout.write(`${name}: ${(await cost(work)).toFixed(1)} µs\n`);
    ready.res.removeAllListeners('close');
  }
});
