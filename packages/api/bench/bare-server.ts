import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { callerOf } from '@sluice/core/access';
import { toUserProfileWire, userProfileWire } from '@sluice/core/account';
import { issueWire, toIssueWire } from '@sluice/core/issue';
import { openSqlite } from '@sluice/db';
import express, { type Request } from 'express';
import { readSessionCookie } from '../src/identity/session/session-cookie.ts';
import { createSessionTokens } from '../src/identity/session/session-tokens.ts';
import { pageWire } from '../src/input/page-query.ts';
import { SESSION_SECRET } from './built-service.ts';
import { clock } from './open-stores.ts';

/**
 * Bare Express with the same check of the session's token, the same read of the session, the same query and the same
 * output schema, and nothing else: no limits, no security headers, no log, no metrics, no checks of the input.
 */
const [dataDir = ''] = process.argv.slice(2);
const { sessions, issues } = await openSqlite({ dataDir, clock });
const tokens = createSessionTokens({ clock }, Buffer.from(SESSION_SECRET));
const issuePage = pageWire(issueWire);

const userOf = async (req: Request) => {
  const token = readSessionCookie(req.headers.cookie);
  const named = token === null ? null : await tokens.verify(token);
  const found = named === null ? null : await sessions.find(named.sessionId);
  if (found === null) throw new Error('There is no such session.');
  return found.user;
};

const app = express();
app.get('/api/auth/me', async (req, res) => {
  res.json(userProfileWire.parse(toUserProfileWire(await userOf(req))));
});
app.get('/api/issues', async (req, res) => {
  const { id: userId } = await userOf(req);
  const page = await issues.list({ readableBy: callerOf(userId), limit: Number(req.query.limit), cursor: null });
  res.json(issuePage.parse({ items: page.items.map(toIssueWire), next_cursor: page.nextCursor }));
});
const server = app.listen(0, '127.0.0.1');
await once(server, 'listening');
process.on('disconnect', () => process.exit());
process.send?.((server.address() as AddressInfo).port);
