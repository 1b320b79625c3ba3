import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { callerOf } from '@sluice/core/access';
import type { RepoId, UserId } from '@sluice/core/id';
import { createIssue, toIssueWire } from '@sluice/core/issue';
import { authorizeRepo } from '@sluice/core/repo';
import { byUser, newId } from '@sluice/testing';
import { initTRPC } from '@trpc/server';
import { createExpressMiddleware } from '@trpc/server/adapters/express';
import express from 'express';
import * as z from 'zod';
import type { Opened } from './open-stores.ts';

const create = z.object({ repo_id: z.string(), title: z.string(), body: z.string() });
type Create = z.infer<typeof create>;

/** The two queries of the api, for a user who is known, without anything around them. */
function queries({ stores }: Opened, userId: UserId) {
  return {
    list: async (limit: number) => {
      const page = await stores.issues.list({ readableBy: callerOf(userId), limit, cursor: null });
      return { items: page.items.map(toIssueWire), next_cursor: page.nextCursor };
    },
    create: async ({ repo_id, title, body }: Create) => {
      const ctx = { ...stores, ids: { next: () => newId() } };
      const repo = await authorizeRepo({ ...ctx, caller: callerOf(userId) }, repo_id as RepoId, 'contribute');
      return toIssueWire(await createIssue(ctx, repo, { draft: { title, body }, by: byUser(userId) }));
    },
  };
}

/** Bare Express: no session, no limit, no schema, no header that it does not set by itself. */
export async function serveExpress(opened: Opened, userId: UserId): Promise<number> {
  const { list, create } = queries(opened, userId);
  const app = express();
  app.get('/api/issues', async (req, res) => {
    res.json(await list(Number(req.query.limit)));
  });
  app.post('/api/issues', express.json(), async (req, res) => {
    res.status(201).json(await create(req.body));
  });
  return await listen(app);
}

/** Bare tRPC on bare Express: inputs are parsed, as everybody does it, and outputs are not. */
export async function serveTrpc(opened: Opened, userId: UserId): Promise<number> {
  const { list, create: make } = queries(opened, userId);
  const t = initTRPC.create();
  const router = t.router({
    issues: t.router({
      list: t.procedure.input(z.object({ limit: z.int() })).query(({ input }) => list(input.limit)),
      create: t.procedure.input(create).mutation(({ input }) => make(input)),
    }),
  });
  const app = express();
  app.use('/api/trpc', createExpressMiddleware({ router }));
  return await listen(app);
}

async function listen(app: express.Express): Promise<number> {
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
