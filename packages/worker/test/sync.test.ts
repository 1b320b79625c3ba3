import { AppError } from '@sluice/core/error';
import { openPostgres } from '@sluice/db';
import { migratedDatabase } from '@sluice/db/scratch';
import { type PostgresDatabases, sharedPostgres, until } from '@sluice/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ERROR_AFTER_FAILURES } from '../src/sync/code-host-sync.ts';
import { type CodeHostWorld, HOST_REPO, openCodeHostWorld } from './code-host-world.ts';
import { openStores } from './open-stores.ts';
import { aChangeRequest, aHostedComment, aHostedIssue } from './remembered-host.ts';

const running = { label_trigger: 'sluice', auto_run: true };
const subjectOf = ({ kind, number }: { kind: string; number: number }) => `${kind} ${number}`;

let server: PostgresDatabases;
beforeAll(async () => {
  server = await sharedPostgres();
});
afterAll(() => server[Symbol.asyncDispose]());

const openOnPostgres: typeof openStores = async ({ signals, sink, cap }) =>
  openPostgres({
    url: await migratedDatabase(server),
    applicationName: 'sluice-test',
    clock: { now: () => new Date() },
    maxActivePipelines: cap,
    onEvents: (hint) => signals.eventsWritten(hint),
    onRunnable: (ids) => sink.runnable(ids),
  });

let world: CodeHostWorld;
afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

describe.each([
  ['SQLite', openStores],
  ['Postgres', openOnPostgres],
])('following the code host on %s', (_engine, open) => {
  beforeEach(async () => {
    world = await openCodeHostWorld(open);
  });

  it('takes each mark once when three processes follow it, and makes each issue once', async () => {
    const numbers = Array.from({ length: 30 }, (_, at) => at + 1);
    const repo = await world.register({ label_trigger: 'sluice' });
    for (const number of numbers) world.host.issues.set(number, aHostedIssue(number));
    for (const owner of ['a', 'b', 'c']) world.watch(owner);
    await Promise.all(numbers.flatMap((number) => [world.mark('issue', number), world.mark('issue', number)]));
    await until('all are imported', async () => (await world.issuesOf(repo)).length === numbers.length);
    await until('all are settled', () => new Set(world.settled.map(subjectOf)).size === numbers.length);
    const made = (await world.issuesOf(repo)).map(({ codehostNumber }) => codehostNumber);
    expect(made.toSorted((a, b) => Number(a) - Number(b))).toEqual(numbers);
    // One response decides and one is imported; a mark set meanwhile costs no further request.
    expect(world.host.asked.filter(({ what }) => what === 'issue')).toHaveLength(2 * numbers.length);
  });

  it('makes one follow-up when two processes sync the same pull request at once', async () => {
    const repo = await world.register();
    const { changeRequest } = await world.publish(repo);
    world.host.comments.set(changeRequest.number, [aHostedComment('issue-1'), aHostedComment('issue-2')]);
    const looks = Array.from({ length: 4 }, () => world.sync('change_request', changeRequest.number));
    await Promise.all(looks);
    const issues = (await world.issuesOf(repo)).filter(({ origin }) => origin === 'follow_up');
    expect(issues).toHaveLength(2);
    expect(await world.activeOf(repo)).toHaveLength(1);
  });

  it('syncs what a killed process left unfinished', async () => {
    const repo = await world.register(running);
    world.host.issues.set(7, aHostedIssue(7));
    await world.mark('issue', 7);
    const claimed = await world.codehostInbox.claim('dead', { limit: 1, ttlMs: 300 });
    expect(claimed).toHaveLength(1);
    // It had imported the issue and died before running it.
    world.host.interfere = () => undefined;
    const settings = repo.settings;
    await world.repos.update(repo.id, { settings: { ...settings, auto_run: false } });
    await world.sync('issue', 7);
    await world.repos.update(repo.id, { settings });
    world.watch('heir');
    await until('the issue runs', async () => (await world.activeOf(repo)).length === 1);
    expect(await world.issuesOf(repo)).toHaveLength(1);
  });
});

describe('following the code host', () => {
  beforeEach(async () => {
    world = await openCodeHostWorld();
  });

  it('notices a mark that is set during a sync', async () => {
    const repo = await world.register();
    const { id, changeRequest } = await world.publish(repo);
    const { number } = changeRequest;
    let marked = false;
    world.host.interfere = async ({ what }) => {
      if (what !== 'comments' || marked) return;
      marked = true;
      // The response is already on its way when the state changes.
      world.host.changes.set(number, aChangeRequest(number, { state: 'merged' }));
      await world.mark('change_request', number);
    };
    await world.mark('change_request', number);
    world.watch('a');
    await until('it is merged here too', async () => (await world.get(id)).changeRequest?.state === 'merged');
  });

  it('continues after an outage of the host, with growing waits and without loss', async () => {
    const repo = await world.register(running);
    world.patience.isKept = false;
    for (const number of [1, 2, 3]) world.host.issues.set(number, aHostedIssue(number));
    world.host.interfere = () => {
      throw new AppError('codehost_unavailable');
    };
    await world.mark('issue', 1, 2, 3);
    world.watch('a');
    const tries = () => world.deferred.filter(({ subject }) => subject.number === 1);
    await until('it has been tried often', () => tries().length > ERROR_AFTER_FAILURES + 1);
    const pauses = tries().map(({ retry }) => retry.retryInMs / 1_000);
    expect(pauses.slice(0, 11)).toEqual([10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600]);
    expect(tries().every(({ retry }) => retry.failed)).toBe(true);
    const levels = world.logged.filter(({ fields }) => fields.number === 1).map(({ level }) => level);
    expect(levels.slice(0, ERROR_AFTER_FAILURES + 1)).toEqual([
      ...Array(ERROR_AFTER_FAILURES - 1).fill('warn'),
      'error',
      'error',
    ]);

    world.host.interfere = () => undefined;
    await until('all are imported', async () => (await world.issuesOf(repo)).length === 3);
    // Importing and running are two writes.
    await until('one of them runs', async () => (await world.activeOf(repo)).length === 1);
  });

  it('leaves the host alone for as long as it asks for, and does not call that a failure', async () => {
    await world.register(running);
    world.host.issues.set(7, aHostedIssue(7));
    world.host.interfere = () => {
      throw new AppError('codehost_busy', { retryAfterMs: 90_000 });
    };
    await world.mark('issue', 7);
    world.watch('a');
    await until('it was put off', () => world.deferred.length === 1);
    expect(world.deferred[0]?.retry).toEqual({ retryInMs: 90_000, failed: false });
  });

  it('calls a host that does not answer away, and tries again', async () => {
    await world.register(running);
    world.host.issues.set(7, aHostedIssue(7));
    world.host.interfere = () => {
      throw new DOMException('The operation timed out.', 'TimeoutError');
    };
    await world.mark('issue', 7);
    world.watch('a');
    await until('it was put off', () => world.deferred.length === 1);
    expect(world.deferred[0]?.retry).toEqual({ retryInMs: 10_000, failed: true });
    expect(world.logged[0]?.fields.err).toMatchObject({ code: 'codehost_unavailable' });
  });

  it('releases its subjects when it is stopped, and another process takes them at once', async () => {
    const repo = await world.register(running);
    world.host.issues.set(7, aHostedIssue(7));
    world.host.interfere = (_asked, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    await world.mark('issue', 7);
    const first = world.watch('first');
    await until('it asks', () => world.host.asked.length === 1);
    await first.stop();
    expect(world.deferred.map(({ retry }) => retry)).toEqual([{ retryInMs: 0, failed: false }]);
    world.host.interfere = () => undefined;
    world.watch('second');
    await until('the issue runs', async () => (await world.activeOf(repo)).length === 1);
  });

  it('does not ask the host again as long as what it waits for is busy, and asks when something changes there', async () => {
    const repo = await world.register(running);
    const holder = await world.publish(repo).then(async () => {
      world.host.issues.set(1, aHostedIssue(1));
      await world.sync('issue', 1);
      return (await world.activeOf(repo))[0];
    });
    if (holder === undefined) throw new Error('nothing runs');
    world.host.issues.set(7, aHostedIssue(7));
    await world.mark('issue', 7);
    const inbox = world.work.deps.codehostInbox;
    const impatient: typeof inbox = {
      ...inbox,
      defer: (owner, subject, retry) => inbox.defer(owner, subject, { ...retry, retryInMs: 0 }),
    };
    world.watch('a', { work: { deps: { ...world.work.deps, codehostInbox: impatient } } });
    const askedOf7 = () => world.host.asked.filter(({ what, number }) => what === 'issue' && number === 7).length;
    await until('it was synced many times', () => world.deferred.length > 10);
    expect(askedOf7()).toBe(2);
    await world.mark('issue', 7);
    await until('the host was asked again', () => askedOf7() === 3);
    await world.end(holder.id);
    await until('the issue runs', async () => (await world.activeOf(repo)).length === 1);
    expect((await world.activeOf(repo))[0]?.codehostNumber).toBe(7);
  });

  it('continues after an outage of its database', async () => {
    const repo = await world.register({ label_trigger: 'sluice' });
    world.host.issues.set(7, aHostedIssue(7));
    await world.mark('issue', 7);
    const { deps } = world.work;
    let faults = 0;
    const claim: typeof deps.codehostInbox.claim = async (...args) => {
      faults += 1;
      if (faults === 1) throw new Error('the database is away');
      return deps.codehostInbox.claim(...args);
    };
    world.watch('a', { work: { deps: { ...deps, codehostInbox: { ...deps.codehostInbox, claim } } } });
    await until('the issue is imported', async () => (await world.issuesOf(repo)).length === 1);
    expect(world.logged).toEqual([expect.objectContaining({ level: 'error' })]);
  });
});

describe('asking the code host what has changed', () => {
  beforeEach(async () => {
    world = await openCodeHostWorld();
  });
  const polls = () => world.host.asked.filter(({ what }) => what === 'changedSince');

  it('finds changes without a delivery', async () => {
    const repo = await world.register({ label_trigger: 'sluice' });
    world.watch('a', { pollMs: 50 });
    await until('it has begun', () => polls().length > 0);
    world.host.issues.set(7, aHostedIssue(7));
    world.host.touched.push({ kind: 'issue', number: 7 });
    await until('the issue is imported', async () => (await world.issuesOf(repo)).length === 1);
  });

  it('never happens at 0', async () => {
    await world.register({ label_trigger: 'sluice' });
    world.host.issues.set(7, aHostedIssue(7));
    world.watch('a', { pollMs: 0 });
    await world.mark('issue', 7);
    await until('a mark was synced', () => world.settled.length === 1);
    expect(polls()).toEqual([]);
  });

  it('runs in the name of the first user with access, and continues from its cursor', async () => {
    const [ada, grace] = [await world.register(), await world.register()];
    world.host.interfere = ({ userId }) => {
      if (userId === ada.userId) throw new AppError('codehost_relink_needed');
    };
    world.watch('a', { pollMs: 50 });
    await until('it was asked twice', () => polls().filter(({ userId }) => userId === grace.userId).length >= 2);
    await until('a sync continued from another', async () => {
      const [due] = await world.codehostInbox.claimPolls('test', { everyMs: 0, limit: 1 });
      return due?.codehostRepoId === HOST_REPO && Number(due.cursor) > 1;
    });
  });

  it('marks before it notes how far it came, so that nothing is lost between the two', async () => {
    const repo = await world.register({ label_trigger: 'sluice' });
    const { deps } = world.work;
    const order: string[] = [];
    const codehostInbox: typeof deps.codehostInbox = {
      ...deps.codehostInbox,
      mark: async (subjects) => {
        order.push('mark');
        if (order.length === 1) throw new Error('the process dies here');
        await deps.codehostInbox.mark(subjects);
      },
      savePoll: async (id, cursor) => {
        order.push(`save ${cursor}`);
        await deps.codehostInbox.savePoll(id, cursor);
      },
    };
    await deps.codehostInbox.savePoll(HOST_REPO, '5');
    world.host.issues.set(7, aHostedIssue(7));
    world.host.touched.push({ kind: 'issue', number: 7 });
    world.host.interfere = ({ what }) => {
      if (what === 'changedSince' && order.length === 1) world.host.touched.push({ kind: 'issue', number: 7 });
    };
    world.watch('a', { pollMs: 50, work: { deps: { ...deps, codehostInbox } } });
    await until('the issue is imported', async () => (await world.issuesOf(repo)).length === 1);
    expect(order.slice(0, 3)).toEqual(['mark', 'mark', 'save 6']);
  });
});
