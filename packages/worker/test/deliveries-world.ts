import type { TokenCipher } from '@sluice/core/account';
import { systemTimers, type Timers } from '@sluice/core/async';
import type { IssueId } from '@sluice/core/id';
import type { Signals } from '@sluice/core/issue';
import type { Delivery, DeliveryQueue, NotificationTarget } from '@sluice/core/notification';
import type { Telemetry } from '@sluice/core/operation';
import type { Stores } from '@sluice/db';
import { createNotificationSender, createUnsubscribeTokens, newSigningSecret } from '@sluice/notify';
import {
  aNewIssue,
  aNewRepo,
  aNewUser,
  isSoakRun,
  newId,
  published,
  scriptedHosts,
  serveOnLoopback,
} from '@sluice/testing';
import { createDeliverer } from '../src/notify/deliverer.ts';

/** Time between attempts runs this many times as fast: three days pass in three seconds. */
const FASTER = 100_000;
const CLAIM_FASTER = isSoakRun ? 10 : 20;
const TIMEOUT_FASTER = isSoakRun ? 10 : 30;

/** How a receiver behaves, by what it draws for a message (0 to 1) and how often it has been sent that one. */
export const behaviours = {
  healthy: () => 200,
  busy: (drawn, times) => (drawn < 0.02 || (drawn < 0.3 && times < 3) ? 500 : 200),
  dying: (drawn, times) => (drawn < 0.3 && times < 3 ? 'hang up' : 200),
  hanging: (drawn, times) => (drawn < 0.1 && times < 2 ? 'hang' : 200),
  gone: (drawn) => (drawn < 0.2 ? 410 : 200),
  redirecting: (drawn, times) => (drawn < 0.02 || (drawn < 0.2 && times < 2) ? 302 : 200),
} as const satisfies Record<string, (drawn: number, times: number) => number | 'hang' | 'hang up'>;
export type Behaviour = keyof typeof behaviours;

/** A request that a receiver got. */
export interface Arrival {
  readonly messageId: string;
  readonly issueId: string;
  readonly at: number;
  readonly body: string;
  readonly headers: Record<string, string>;
}

const plainCipher: TokenCipher = {
  encrypt: (_owner, token) => ({ encrypted: `1:${token}`, nonce: 'n' }),
  decrypt: (_owner, { encrypted }) => encrypted.slice('1:'.length),
};
export const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
export const noTelemetry = { notificationAttempted: () => undefined } as unknown as Telemetry;

/** Receivers of every behaviour, and one at a private address, which nobody may reach. */
export async function startReceivers(draw: (messageId: string) => number) {
  const arrivals = new Map<string, Arrival[]>();
  const reached: string[] = [];
  const inside = await serveOnLoopback((request, response) => {
    reached.push(request.url ?? '');
    response.end();
  });
  const server = await serveOnLoopback((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = (request.url ?? '').slice(1) as Behaviour;
      const body = Buffer.concat(chunks).toString();
      const messageId = String(request.headers['webhook-id']);
      const own = arrivals.get(path) ?? [];
      arrivals.set(path, own);
      const times = own.filter((arrival) => arrival.messageId === messageId).length;
      const headers = request.headers as Record<string, string>;
      own.push({ messageId, issueId: JSON.parse(body).data.issue_id, at: Date.now(), body, headers });
      const answer = behaviours[path](draw(messageId), times);
      if (answer === 'hang up') response.destroy();
      else if (answer !== 'hang') response.writeHead(answer, { location: `${inside.origin}/internal` }).end();
    });
  });
  const { origin } = server;
  return {
    origin,
    insidePort: new URL(inside.origin).port,
    arrivals: (behaviour: Behaviour): readonly Arrival[] => arrivals.get(behaviour) ?? [],
    /** The requests that reached the private address. */
    reached,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await inside[Symbol.asyncDispose]();
    },
  };
}

type Receivers = Awaited<ReturnType<typeof startReceivers>>;

/** A user with a target for each receiver, and one whose name has a private address. */
export async function notifiedUser(stores: Pick<Stores, 'users' | 'repos' | 'notifications'>, receivers: Receivers) {
  const user = aNewUser();
  await stores.users.create(user);
  const repo = aNewRepo({ userId: user.id });
  await stores.repos.create(repo);
  const secrets = new Map<string, string>();
  const targets = new Map<Behaviour | 'private', NotificationTarget>();
  const add = async (name: Behaviour | 'private', url: string, events: NotificationTarget['events']) => {
    const secret = newSigningSecret();
    const outcome = await stores.notifications.createTarget(
      {
        id: newId(),
        userId: user.id,
        channel: 'webhook',
        url: plainCipher.encrypt({ kind: 'notification_url', id: '', userId: '' }, url),
        format: 'standard',
        events,
        repoId: null,
        description: null,
      },
      { id: newId(), encryptedToken: plainCipher.encrypt({ kind: 'notification_secret', id: '', userId: '' }, secret) },
    );
    if (outcome.kind !== 'created') throw new Error(`the target was not created: ${outcome.kind}`);
    targets.set(name, outcome.target);
    secrets.set(name, secret);
  };
  for (const name of Object.keys(behaviours) as Behaviour[]) {
    await add(name, `${receivers.origin}/${name}`, [
      'issue.completed',
      'change_request.merged',
      'change_request.closed',
    ]);
  }
  await add('private', `https://rebinding.example.test:${receivers.insidePort}/`, ['issue.completed']);
  return { user, repo, targets, secretOf: (name: Behaviour) => secrets.get(name) ?? '' };
}

type Notified = Awaited<ReturnType<typeof notifiedUser>>;

/** Completes issues with a pull request, each of which is then closed and merged in turn. */
export async function tellOf(
  stores: Stores,
  { repo }: Pick<Notified, 'repo'>,
  { issues, changes, paceMs }: { readonly issues: number; readonly changes: number; readonly paceMs: number },
): Promise<void> {
  const ids: IssueId[] = [];
  for (let count = 0; count < issues; count += 1) {
    const created = await stores.issues.create(aNewIssue({ userId: repo.userId, repoId: repo.id }), { queue: true });
    if (created.kind !== 'applied') throw new Error(`the issue was not created: ${created.kind}`);
    await published(stores, created.issue, 'draft');
    ids.push(created.issue.id);
  }
  for (let change = 0; change < changes; change += 1) {
    for (const id of ids) {
      await stores.codehostIndex.setChangeRequestState(id, change % 2 === 0 ? 'closed' : 'merged');
      await systemTimers.sleep(paceMs);
    }
  }
}

/** Starts a worker's deliverer, for which time between attempts runs faster. */
export function startDeliverer(
  deliveries: DeliveryQueue,
  receivers: Receivers,
  { owner, signals }: { readonly owner: string; readonly signals: Signals },
) {
  const ended = { attempts: 0 };
  const timers: Timers = { ...systemTimers, timeout: (ms) => systemTimers.timeout(ms / TIMEOUT_FASTER) };
  const clock = { now: () => new Date() };
  const faster: DeliveryQueue = {
    ...deliveries,
    claim: (by, options) => deliveries.claim(by, { ...options, ttlMs: options.ttlMs / CLAIM_FASTER }),
    settle: async (by, delivery, end) => {
      await deliveries.settle(by, delivery, { ...end, retryInMs: Math.round(end.retryInMs / FASTER) });
      ended.attempts += 1;
    },
  };
  let asked = 0;
  const sender = createNotificationSender({
    allowHosts: [new URL(receivers.origin).host],
    // One public and one private address, in turns: a name that changes its mind.
    hosts: scriptedHosts(() => {
      asked += 1;
      return asked % 2 === 0 ? ['127.0.0.1'] : ['127.0.0.1', '93.184.215.14'];
    }),
    smtp: null,
    clock,
    userAgent: 'sluice/test',
  });
  const deliverer = createDeliverer(
    {
      deliveries: faster,
      cipher: plainCipher,
      clock,
      timers,
      signals,
      publicUrl: new URL('https://sluice.test'),
      telemetry: noTelemetry,
      log: quiet,
    },
    { sender, unsubscribeTokens: createUnsubscribeTokens(Buffer.from('secret'), clock) },
    { owner },
  );
  deliverer.start();
  return { ended, stop: () => deliverer.stop() };
}

/** All deliveries of a target, in the order in which they were written. */
export async function deliveriesOf({ notifications }: Pick<Stores, 'notifications'>, { id }: NotificationTarget) {
  const all: Delivery[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof notifications.deliveries>> = await notifications.deliveries({
      targetId: id,
      limit: 1_000,
      cursor,
    });
    all.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return all.toReversed();
}
