import { AppError } from '@sluice/core/error';
import { importIssue } from '@sluice/core/hosted-issue';
import { byUser } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CodeHostWorld, openCodeHostWorld } from './code-host-world.ts';
import { aHostedIssue } from './remembered-host.ts';

let world: CodeHostWorld;
beforeEach(async () => {
  world = await openCodeHostWorld();
});
afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

const byLabel = { label_trigger: 'sluice' };
const running = { label_trigger: 'sluice', auto_run: true };
const words = (issues: { codehostNumber: number | null; status: string }[]) =>
  issues.map(({ codehostNumber, status }) => `#${codehostNumber} ${status}`);

describe('a labelled issue at the code host', () => {
  it('is imported once, however often it is synced', async () => {
    const repo = await world.register(byLabel);
    world.host.issues.set(7, aHostedIssue(7));
    for (let time = 0; time < 3; time += 1) expect(await world.sync('issue', 7)).toEqual({ kind: 'done' });
    const [issue, ...others] = await world.issuesOf(repo);
    expect(others).toEqual([]);
    expect(issue).toMatchObject({ origin: 'codehost', codehostNumber: 7, status: 'pending', queuedAt: null });
  });

  it('is read where the repository is now, for all who have registered it', async () => {
    const repos = [await world.register(byLabel), await world.register(byLabel)];
    world.host.name = 'Else/Where';
    world.host.issues.set(7, aHostedIssue(7));
    expect(await world.sync('issue', 7)).toEqual({ kind: 'done' });
    for (const repo of repos) {
      expect(words(await world.issuesOf(repo))).toEqual(['#7 pending']);
      expect(await world.repos.get(repo.id)).toMatchObject({
        name: 'of my own choice',
        url: 'https://host.test/Else/Where',
        canonicalRemote: 'https://host.test/else/where',
      });
    }
  });

  it('is known by its label without case, among others', async () => {
    const repo = await world.register({ label_trigger: ' Sluice ' });
    world.host.issues.set(7, aHostedIssue(7, { labels: ['bug', 'SLUICE'] }));
    await world.sync('issue', 7);
    expect(words(await world.issuesOf(repo))).toEqual(['#7 pending']);
  });

  it.each([
    ['has lost its label again', { labels: [] }],
    ['has a label that only begins like it', { labels: ['sluice-not'] }],
    ['is closed', { open: false }],
  ])('is not imported when it %s before the sync', async (_name, overrides) => {
    const repo = await world.register(running);
    world.host.issues.set(7, aHostedIssue(7, overrides));
    expect(await world.sync('issue', 7)).toEqual({ kind: 'done' });
    expect(await world.issuesOf(repo)).toEqual([]);
  });

  it('is not even asked for where no registration goes by a label', async () => {
    await world.register({ auto_run: true });
    await world.register({ label_trigger: '  ' });
    await world.sync('issue', 7);
    expect(world.host.asked).toEqual([]);
  });

  it('is run automatically when the registration says so, and only once', async () => {
    const repo = await world.register(running);
    world.host.issues.set(7, aHostedIssue(7));
    await world.sync('issue', 7);
    const [issue] = await world.activeOf(repo);
    if (issue === undefined) throw new Error('nothing runs');
    await world.end(issue.id);
    world.host.asked.length = 0;
    await world.sync('issue', 7);
    expect(words(await world.issuesOf(repo))).toEqual(['#7 cancelled']);
    expect(world.host.asked).toEqual([]); // an issue that has run is not asked about
  });

  it('that was deleted here returns only by hand', async () => {
    const repo = await world.register(running);
    world.host.issues.set(7, aHostedIssue(7));
    await world.sync('issue', 7);
    const [issue] = await world.activeOf(repo);
    if (issue === undefined) throw new Error('nothing runs');
    await world.end(issue.id);
    expect(await world.issues.remove(issue.id)).toBe('removed');
    world.host.asked.length = 0;
    expect(await world.sync('issue', 7)).toEqual({ kind: 'done' });
    expect(await world.issuesOf(repo)).toEqual([]);
    expect(world.host.asked).toEqual([]);
    const context = { ...world.work.deps, codehost: { host: world.work.host }, codehostTokens: world.work.tokens };
    await importIssue(context, repo, { number: 7, signal: new AbortController().signal, by: byUser(repo.userId) });
    expect(words(await world.issuesOf(repo))).toEqual(['#7 pending']);
  });

  it('waits as pending while its repository is busy, and runs when that is free', async () => {
    const repo = await world.register(running);
    for (const number of [7, 8]) world.host.issues.set(number, aHostedIssue(number));
    await world.sync('issue', 7);
    expect(await world.sync('issue', 8)).toEqual({ kind: 'blocked', repoIds: [repo.id] });
    expect(await world.sync('issue', 8)).toEqual({ kind: 'blocked', repoIds: [repo.id] });
    expect(words(await world.issuesOf(repo))).toEqual(['#7 running', '#8 pending']);
    const [first] = await world.activeOf(repo);
    if (first === undefined) throw new Error('nothing runs');
    await world.end(first.id);
    expect(await world.sync('issue', 8)).toEqual({ kind: 'done' });
    expect(words(await world.issuesOf(repo))).toEqual(['#7 cancelled', '#8 running']);
  });

  it('that waits is not run any more when its label was taken off or a person cancelled it', async () => {
    const repo = await world.register(running);
    for (const number of [7, 8, 9]) world.host.issues.set(number, aHostedIssue(number));
    for (const number of [7, 8, 9]) await world.sync('issue', number);
    const [first, , third] = await world.issuesOf(repo);
    if (first === undefined || third === undefined) throw new Error('nothing was imported');
    world.host.issues.set(8, aHostedIssue(8, { labels: [] }));
    await world.end(third.id);
    await world.end(first.id);
    for (const number of [8, 9]) expect(await world.sync('issue', number)).toEqual({ kind: 'done' });
    expect(words(await world.issuesOf(repo))).toEqual(['#7 cancelled', '#8 pending', '#9 cancelled']);
  });

  it('is imported for each registration by its own settings and in its own user’s name', async () => {
    const [ada, grace, none] = [
      await world.register(byLabel),
      await world.register({ label_trigger: 'other' }),
      await world.register(),
    ];
    world.host.issues.set(7, aHostedIssue(7, { labels: ['sluice'] }));
    world.host.issues.set(8, aHostedIssue(8, { labels: ['other', 'sluice'] }));
    for (const number of [7, 8]) await world.sync('issue', number);
    expect(words(await world.issuesOf(ada))).toEqual(['#7 pending', '#8 pending']);
    expect(words(await world.issuesOf(grace))).toEqual(['#8 pending']);
    expect(await world.issuesOf(none)).toEqual([]);
    const names = new Set(world.host.asked.map(({ userId }) => userId));
    expect(names).toEqual(new Set([ada.userId, grace.userId]));
  });

  it('runs for one registration at a time: the rule of one pipeline holds between users', async () => {
    const [ada, grace] = [await world.register(running), await world.register(running)];
    world.host.issues.set(7, aHostedIssue(7));
    expect(await world.sync('issue', 7)).toEqual({ kind: 'blocked', repoIds: [grace.id] });
    expect(words(await world.issuesOf(ada))).toEqual(['#7 running']);
    expect(words(await world.issuesOf(grace))).toEqual(['#7 pending']);
  });

  it.each(['codehost_relink_needed', 'codehost_not_found', 'codehost_forbidden', 'codehost_not_linked'] as const)(
    'is passed over for a registration with %s, with a line in the log, and the others go on',
    async (code) => {
      const [ada, grace] = [await world.register(byLabel), await world.register(byLabel)];
      world.host.issues.set(7, aHostedIssue(7));
      world.host.interfere = ({ userId }) => {
        if (userId === ada.userId) throw new AppError(code);
      };
      expect(await world.sync('issue', 7)).toEqual({ kind: 'done' });
      expect(await world.issuesOf(ada)).toEqual([]);
      expect(words(await world.issuesOf(grace))).toEqual(['#7 pending']);
      expect(world.logged).toEqual([
        expect.objectContaining({ level: 'warn', fields: expect.objectContaining({ repoId: ada.id }) }),
      ]);
    },
  );

  it('is retried when one registration fails, after the others were synced', async () => {
    const [ada, grace] = [await world.register(byLabel), await world.register(byLabel)];
    world.host.issues.set(7, aHostedIssue(7));
    world.host.interfere = ({ userId }) => {
      if (userId === ada.userId) throw new AppError('codehost_unavailable');
    };
    expect(await world.sync('issue', 7)).toMatchObject({ kind: 'failed', error: { code: 'codehost_unavailable' } });
    expect(words(await world.issuesOf(grace))).toEqual(['#7 pending']);
    world.host.interfere = () => undefined;
    expect(await world.sync('issue', 7)).toEqual({ kind: 'done' });
    expect(words(await world.issuesOf(ada))).toEqual(['#7 pending']);
    expect(words(await world.issuesOf(grace))).toEqual(['#7 pending']);
  });
});
