import type { Signals } from '@sluice/core/issue';
import { openPostgres, type Stores } from '@sluice/db';
import { migratedDatabase, openScratch } from '@sluice/db/scratch';
import { isSoakRun, randomFrom, sharedPostgres, until } from '@sluice/testing';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it, vi } from 'vitest';
import {
  type Behaviour,
  behaviours,
  deliveriesOf,
  notifiedUser,
  startDeliverer,
  startReceivers,
  tellOf,
} from './deliveries-world.ts';
import { mortalLife } from './mortal.ts';
import { signalHub } from './signal-hub.ts';

/** Ten thousand deliveries at the soak run, and some two hundred otherwise. */
const SIZE = isSoakRun ? { issues: 50, changes: 40 } : { issues: 4, changes: 8 };
const EVENTS = SIZE.issues * (1 + SIZE.changes);
/** Slow enough that what is measured is not how many events a second the machine can write. */
const PACE = { issues: 20, changes: 10, paceMs: 200 };
/** A worker dies after as many claims and records. */
const LAST_WRITE = isSoakRun ? 2_000 : 40;
const LATE_MS = 1_000;

const clock = { now: () => new Date() };
const applicationName = 'sluice-test';

/** Two workers' stores: of one process on SQLite, of two on Postgres. */
const engines: [string, () => Promise<{ stores: [Stores, Stores]; signals: Signals; close(): Promise<void> }>][] = [
  [
    'SQLite',
    async () => {
      const signals = signalHub();
      const stores = await openScratch({ clock, onEvents: signals.eventsWritten });
      return { stores: [stores, stores], signals, close: () => stores.close() };
    },
  ],
  [
    'Postgres',
    async () => {
      const server = await sharedPostgres();
      const url = await migratedDatabase(server);
      const signals = signalHub();
      const options = { url, clock, applicationName, onEvents: signals.eventsWritten };
      const [one, other] = [await openPostgres(options), await openPostgres(options)];
      const close = async () => {
        await one.close();
        await other.close();
        await server[Symbol.asyncDispose]();
      };
      return { stores: [one, other], signals, close };
    },
  ],
];

/** The same for the same message, whenever it comes. */
function draw(messageId: string): number {
  return randomFrom(Number.parseInt(messageId.slice(-8), 16))();
}

describe.each(isSoakRun ? engines : engines.slice(0, 1))('notifications on %s', (engine, open) => {
  it('reach sick receivers or are given up, in order, none privately, though a worker dies', async () => {
    const { stores, signals, close } = await open();
    await using receivers = await startReceivers(draw);
    const [first] = stores;
    const notified = await notifiedUser(first, receivers);
    const life = mortalLife(LAST_WRITE);
    startDeliverer(life.wrap('deliveries', stores[1].deliveries), receivers, { owner: 'mortal', signals });
    const survivor = startDeliverer(first.deliveries, receivers, { owner: 'survivor', signals });
    await tellOf(first, notified, { ...SIZE, paceMs: 0 });
    const targets = [...notified.targets];
    await untilNonePending(first, notified, survivor);
    await survivor.stop();
    expect(life.dead).toBe(true);

    for (const [name, target] of targets) {
      const rows = await deliveriesOf(first, target);
      // What is gone gets no more from its first answer on, and the private one hears of the end of an issue only.
      if (name !== 'gone' && name !== 'private') expect([name, rows.length]).toEqual([name, EVENTS]);
      const seen = name === 'private' ? [] : receivers.arrivals(name);
      const arrived = new Set(seen.map(({ messageId }) => messageId));
      for (const { messageId, status, lastError, endedAt } of rows) {
        expect([status === 'delivered', status === 'given_up']).toContain(true);
        expect(endedAt).not.toBeNull();
        if (status === 'delivered') expect(arrived).toContain(messageId);
        else expect(lastError).toMatch(/\.$|NOTIFY_ALLOW_HOSTS/);
      }
      const order = new Map(rows.map(({ messageId }, at) => [messageId, at]));
      const last = new Map<string, number>();
      for (const { messageId, issueId } of seen) {
        const place = order.get(messageId) ?? -1;
        expect(place).toBeGreaterThanOrEqual(last.get(issueId) ?? 0);
        last.set(issueId, place);
      }
    }
    expect(receivers.reached).toEqual([]);
    for (const name of Object.keys(behaviours) as Behaviour[]) {
      const webhook = new Webhook(notified.secretOf(name));
      for (const { at, body, headers } of receivers.arrivals(name)) {
        vi.spyOn(Date, 'now').mockReturnValue(at); // an old signature is refused
        expect(webhook.verify(body, headers)).toEqual(JSON.parse(body));
      }
    }
    vi.restoreAllMocks();
    const statusesOf = async (name: Behaviour | 'private') => {
      const target = notified.targets.get(name);
      if (target === undefined) throw new Error(`there is no target ${name}`);
      return new Set((await deliveriesOf(first, target)).map(({ status }) => status));
    };
    expect(await statusesOf('healthy')).toEqual(new Set(['delivered']));
    expect(await statusesOf('private')).toEqual(new Set(['given_up']));
    const gone = await first.notifications.target(notified.targets.get('gone')?.id ?? '');
    expect(gone?.disabledReason).toContain('410');
    await close();
  });

  it.runIf(isSoakRun)('reach a healthy receiver within a second, beside sick ones', async () => {
    const { stores, signals, close } = await open();
    await using receivers = await startReceivers(draw);
    const [first, second] = stores;
    const notified = await notifiedUser(first, receivers);
    const one = startDeliverer(first.deliveries, receivers, { owner: 'one', signals });
    const other = startDeliverer(second.deliveries, receivers, { owner: 'other', signals });
    await tellOf(first, notified, PACE);
    await untilNonePending(first, notified, one);
    await Promise.all([one.stop(), other.stop()]);
    await reportLatency(engine, first, { notified, receivers });
    await close();
  });
});

interface Run {
  readonly notified: Awaited<ReturnType<typeof notifiedUser>>;
  readonly receivers: Awaited<ReturnType<typeof startReceivers>>;
}

/** Waits as long as attempts end: how long all of them take depends on the machine. */
async function untilNonePending(
  { notifications }: Pick<Stores, 'notifications'>,
  { targets }: Run['notified'],
  { ended }: ReturnType<typeof startDeliverer>,
): Promise<void> {
  for (const [name, { id }] of targets) {
    const isPending = async () => {
      const page = await notifications.deliveries({ targetId: id, status: 'pending', limit: 1, cursor: null });
      return page.items.length > 0;
    };
    while (await isPending()) {
      const before = ended.attempts;
      await until(`an attempt ends, or nothing is pending for ${name}`, async () => {
        return ended.attempts > before || !(await isPending());
      });
    }
  }
}

/** From the event to its arrival at the healthy receiver, beside the sick ones. */
async function reportLatency(engine: string, stores: Stores, { notified, receivers }: Run): Promise<void> {
  const healthy = notified.targets.get('healthy');
  if (healthy === undefined) throw new Error('there is no healthy target');
  const arrivals = new Map(
    receivers
      .arrivals('healthy')
      .toReversed()
      .map(({ messageId, at }) => [messageId, at]),
  );
  const rows = await deliveriesOf(stores, healthy);
  const latencies = rows
    .map(({ messageId, createdAt }) => (arrivals.get(messageId) ?? Infinity) - createdAt.getTime())
    .toSorted((a, b) => a - b);
  const share = (part: number) => latencies[Math.floor(latencies.length * part)] ?? Infinity;
  const requests = (Object.keys(behaviours) as Behaviour[]).map((name) => receivers.arrivals(name).length);
  const total = requests.reduce((sum, some) => sum + some, 0);
  console.log(
    `${engine}: ${rows.length} deliveries to the healthy receiver, of ${total} requests: p50 ${share(0.5)} ms, p95 ${share(0.95)} ms, max ${share(1 - 1e-9)} ms`,
  );
  expect(share(0.95)).toBeLessThanOrEqual(LATE_MS);
}
