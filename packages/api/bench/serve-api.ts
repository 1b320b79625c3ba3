import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { SessionId, UserId } from '@sluice/core/id';
import type { HealthCheck } from '@sluice/core/operation';
import { createMemoryLimiter } from '@sluice/redis';
import { newId } from '@sluice/testing';
import { createApi } from '../src/create-api.ts';
import { createSessionTokens } from '../src/identity/session/session-tokens.ts';
import type { ApiLog, ApiOptions } from '../src/service/api-deps.ts';
import { createHttpServer } from '../src/transport/http/http-server.ts';
import { builtinFacts } from '../test/builtin-facts.ts';
import { clock, type Opened } from './open-stores.ts';

const UP: HealthCheck = { check: async (signal) => signal.throwIfAborted() };
const never = async () => {
  throw new Error('No request of a benchmark comes here.');
};

/** A line of JSON for each message, as the service writes it, discarded. */
function droppedLog(): ApiLog {
  const out = createWriteStream('/dev/null');
  const line = (level: number) => (fields: object, message: string) => {
    out.write(`${JSON.stringify({ level, time: Date.now(), ...fields, msg: message })}\n`);
  };
  return { info: line(30), warn: line(40), error: line(50) };
}

/** The whole api as it is in production, on stores that are open. */
export async function serveApi({ stores, signals }: Opened) {
  const server = createHttpServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const options: ApiOptions = {
    publicUrl: new URL(`http://127.0.0.1:${port}`),
    corsOrigins: [],
    sessionSecret: new Uint8Array(32).fill(7),
    sessionTtlMs: 3_600_000,
    registration: 'open',
    securityContact: null,
    localReposFor: 'everybody',
    trustProxy: [],
    version: '0.0.0',
    facts: builtinFacts,
    configuration: [],
  };
  const api = createApi(
    {
      ...stores,
      limiter: createMemoryLimiter(),
      signals,
      pictures: { draw: never },
      remotes: { inspect: never },
      bases: { since: never },
      codeIndex: { search: never },
      budget: { tokens: null, cost_usd: null, active_ms: null },
      budgetIsFixed: false,
      cipher: {
        encrypt: () => ({ encrypted: '', nonce: '' }),
        decrypt: () => '',
      },
      accountMailer: null,
      notificationRules: { allowHosts: [], sendsEmail: false, newSecret: () => '' },
      unsubscribeTokens: { issue: () => '', read: () => null },
      codehost: null,
      oidc: [],
      codehostTokens: null,
      clock,
      ids: { next: () => newId() },
      console: null,
      health: { database: stores.health, cache: UP, vector_store: UP },
      log: droppedLog(),
    },
    options,
  );
  api.serve(server);
  const tokens = createSessionTokens({ clock }, options.sessionSecret);
  return {
    port,
    /** The cookie of a new session. */
    login: async (userId: UserId): Promise<string> => {
      const expiresAt = new Date(Date.now() + options.sessionTtlMs);
      const session = await stores.sessions.create({ id: newId<SessionId>(), userId, expiresAt });
      if (session === null) throw new Error('The session was not given.');
      return `access_token=${await tokens.sign(session)}`;
    },
  };
}
