import { callerOf } from '@sluice/core/access';
import type { Issue } from '@sluice/core/issue';
import { describe, expect, it } from 'vitest';
import { applied, cancelled } from './pipeline-moves.ts';
import { newIssueOn, type OpenStores, registeredRepo, type StoreHarness } from './store-harness.ts';

/** How a user's issues are listed: newest first, in pages, filtered. */
export function issueListContract(open: OpenStores): void {
  describe('the list', () => {
    it('shows each issue once, newest first, while others are written', async () => {
      await using stores = await open();
      const repo = await registeredRepo(stores);
      const written = await write(stores, { repo, titles: numbered(25) });
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page = await stores.issues.list({ readableBy: callerOf(repo.userId), limit: 10, cursor });
        seen.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor;
        await write(stores, { repo, titles: numbered(3) });
      } while (cursor !== null);
      expect(seen).toEqual(written.map(({ id }) => id).reverse());
    });

    it('ends with a null cursor, also where the last page is full', async () => {
      await using stores = await open();
      const repo = await registeredRepo(stores);
      await write(stores, { repo, titles: numbered(4) });
      const first = await stores.issues.list({ readableBy: callerOf(repo.userId), limit: 2, cursor: null });
      const second = await stores.issues.list({
        readableBy: callerOf(repo.userId),
        limit: 2,
        cursor: first.nextCursor,
      });
      expect([second.items.length, second.nextCursor]).toEqual([2, null]);
    });

    it.each([
      ['nothing', ''],
      ['words', 'next please'],
      ['a bare number', Buffer.from('3').toString('base64url')],
      ['a place without its checksum', Buffer.from('issues:3').toString('base64url')],
      ['a place with a wrong checksum', Buffer.from('issues:3:abc').toString('base64url')],
      ['a place before the first', Buffer.from('issues:-1:0').toString('base64url')],
    ])('refuses a cursor that it did not give: %s', async (_, cursor) => {
      await using stores = await open();
      const { userId } = await registeredRepo(stores);
      const code = 'cursor_invalid';
      await expect(stores.issues.list({ readableBy: callerOf(userId), limit: 10, cursor })).rejects.toMatchObject({
        code,
      });
    });

    it('rejects a truncated cursor, and one of another list', async () => {
      await using stores = await open();
      const repo = await registeredRepo(stores);
      const { userId } = repo;
      await registeredRepo(stores, { userId });
      await write(stores, { repo, titles: numbered(3) });
      const { nextCursor } = await stores.issues.list({ readableBy: callerOf(userId), limit: 1, cursor: null });
      const ofRepos = await stores.repos.list(callerOf(userId), { limit: 1, cursor: null });
      const code = 'cursor_invalid';
      for (const cursor of [nextCursor?.slice(1), nextCursor?.slice(0, -1), `${nextCursor}A`, ofRepos.nextCursor]) {
        await expect(
          stores.issues.list({ readableBy: callerOf(userId), limit: 1, cursor: cursor ?? '' }),
        ).rejects.toMatchObject({ code });
      }
    });

    it('shows the issues of one user alone', async () => {
      await using stores = await open();
      const mine = await registeredRepo(stores);
      const theirs = await registeredRepo(stores);
      const [own] = await write(stores, { repo: mine, titles: ['mine'] });
      await write(stores, { repo: theirs, titles: ['theirs'] });
      expect(await titles(stores, { readableBy: callerOf(mine.userId) })).toEqual([own?.title]);
    });

    it('filters by label, origin and time of creation, and turns round', async () => {
      await using stores = await open();
      const repo = await registeredRepo(stores);
      const { userId } = repo;
      const drafts = [
        { title: 'one', labels: ['bug', '50%'] },
        { title: 'two', labels: ['"bug"', 'a_b'], origin: 'codehost' as const },
        { title: 'three', labels: ['bugs', '5000', 'axb'] },
      ];
      const made: Issue[] = [];
      for (const draft of drafts)
        made.push(applied(await stores.issues.create(newIssueOn(repo, draft), { queue: false })));
      expect(await titles(stores, { readableBy: callerOf(userId), label: 'bug' })).toEqual(['one']);
      expect(await titles(stores, { readableBy: callerOf(userId), label: '50%' })).toEqual(['one']);
      expect(await titles(stores, { readableBy: callerOf(userId), label: '"bug"', repoId: repo.id })).toEqual(['two']);
      expect(await titles(stores, { readableBy: callerOf(userId), label: 'a_b', statuses: ['pending'] })).toEqual([
        'two',
      ]);
      // Neither another case, nor what stands between two labels in the stored list.
      for (const label of ['BUG', ',', ', ', '\0bug'])
        expect(await titles(stores, { readableBy: callerOf(userId), label }), JSON.stringify(label)).toEqual([]);
      for (const time of ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00Z'])
        expect(await titles(stores, { readableBy: callerOf(userId), createdBefore: new Date(time) })).toEqual([]);
      expect(
        await titles(stores, { readableBy: callerOf(userId), createdFrom: new Date('9999-12-31T23:59:59.999Z') }),
      ).toEqual([]);
      expect(await titles(stores, { readableBy: callerOf(userId), origin: 'codehost' })).toEqual(['two']);
      expect(await titles(stores, { readableBy: callerOf(userId), oldestFirst: true })).toEqual([
        'one',
        'two',
        'three',
      ]);
      const statuses = ['pending', 'running'] as const;
      expect(await titles(stores, { readableBy: callerOf(userId), statuses, oldestFirst: true })).toEqual([
        'one',
        'two',
        'three',
      ]);
      const first = made[0]?.createdAt ?? new Date(0);
      const later = new Date(first.getTime() + 86_400_000);
      expect(await titles(stores, { readableBy: callerOf(userId), createdFrom: later })).toEqual([]);
      expect(await titles(stores, { readableBy: callerOf(userId), createdFrom: first, createdBefore: later })).toEqual([
        'three',
        'two',
        'one',
      ]);
      expect(await titles(stores, { readableBy: callerOf(userId), createdBefore: first })).toEqual([]);
      const query = { readableBy: callerOf(userId), oldestFirst: true, limit: 2 };
      const start = await stores.issues.list({ ...query, cursor: null });
      const rest = await stores.issues.list({ ...query, cursor: start.nextCursor });
      expect([rest.items.map(({ title }) => title), rest.nextCursor]).toEqual([['three'], null]);
      // A place in one order is none in the other.
      const turned = stores.issues.list({ ...query, oldestFirst: false, cursor: start.nextCursor });
      await expect(turned).rejects.toMatchObject({ code: 'cursor_invalid' });
    });

    it('filters by status, by several of them, and by repository', async () => {
      await using stores = await open();
      const repo = await registeredRepo(stores);
      const other = await registeredRepo(stores, { userId: repo.userId });
      const [one] = await write(stores, { repo, titles: ['ended', 'waiting'] });
      await write(stores, { repo: other, titles: ['elsewhere'] });
      if (one !== undefined) await cancelled(stores, one.id);
      applied(await stores.issues.create(newIssueOn(repo, { title: 'running' }), { queue: true }));
      const { userId } = repo;
      expect(await titles(stores, { readableBy: callerOf(userId), statuses: ['cancelled'] })).toEqual(['ended']);
      expect(await titles(stores, { readableBy: callerOf(userId), statuses: ['running', 'cancelled'] })).toEqual([
        'running',
        'ended',
      ]);
      expect(await titles(stores, { readableBy: callerOf(userId), statuses: [] })).toEqual([]);
      expect(await titles(stores, { readableBy: callerOf(userId), repoId: other.id })).toEqual(['elsewhere']);
      expect(await titles(stores, { readableBy: callerOf(userId), repoId: repo.id, statuses: ['pending'] })).toEqual([
        'waiting',
      ]);
      const count = (query: object) => stores.issues.count({ readableBy: callerOf(userId), ...query });
      expect(await count({})).toBe(4);
      expect(await count({ statuses: ['running', 'cancelled', 'running'] })).toBe(2);
      expect(await count({ statuses: [] })).toBe(0);
      expect(await count({ repoId: repo.id, statuses: ['pending'] })).toBe(1);
      const stranger = await registeredRepo(stores);
      expect(await stores.issues.count({ readableBy: callerOf(stranger.userId), repoId: repo.id })).toBe(0);
    });

    it.each([
      ['in several statuses', { statuses: ['pending', 'cancelled'] }],
      ['with a text', { q: 'issue 1' }],
      ['in several statuses, with a text', { statuses: ['cancelled', 'pending'], q: 'ISSUE' }],
    ] as const)('shows those %s in one order, each once, over all pages', async (_, filter) => {
      await using stores = await open();
      const repo = await registeredRepo(stores);
      const written = await write(stores, { repo, titles: numbered(60) });
      for (const { id } of written.filter((_issue, index) => index % 3 === 0)) await cancelled(stores, id);
      const expected = written.filter(
        ({ title }) => !('q' in filter) || title.toLowerCase().includes(filter.q.toLowerCase()),
      );
      for (const repoId of [undefined, repo.id]) {
        const query = { readableBy: callerOf(repo.userId), ...filter, ...(repoId === undefined ? {} : { repoId }) };
        const seen: string[] = [];
        let cursor: string | null = null;
        do {
          const page = await stores.issues.list({ ...query, limit: 7, cursor });
          seen.push(...page.items.map(({ id }) => id));
          cursor = page.nextCursor;
        } while (cursor !== null);
        expect(seen).toEqual(expected.map(({ id }) => id).reverse());
      }
    });

    it('shows nothing of a repository of another user', async () => {
      await using stores = await open();
      const [mine, theirs] = [await registeredRepo(stores), await registeredRepo(stores)];
      await write(stores, { repo: theirs, titles: numbered(3) });
      const query = { readableBy: callerOf(mine.userId), repoId: theirs.id, limit: 2, cursor: null };
      expect(await stores.issues.list(query)).toEqual({ items: [], nextCursor: null });
    });

    it.each([
      ['sum', ['Fix SUM']],
      ['SUM', ['Fix SUM']],
      ['100%', ['Cover 100% of it']],
      ['%', ['Cover 100% of it']],
      ['_name', ['Rename user_name']],
      ['s_r', []],
      ['C:\\tmp', ['Path C:\\TMP']],
      ['größe', ['Die GRÖSSE und die GRÖßE']],
      ["o'clock", ["It is five o'clock"]],
      ['in the body', ['Fix SUM', 'Cover 100% of it', 'Rename user_name', 'Path C:\\TMP']],
      ['\0', 'all'],
    ] as const)('finds what holds the letters %j, whatever their case', async (q, expected) => {
      await using stores = await open();
      const repo = await registeredRepo(stores);
      const withBody = ['Fix SUM', 'Cover 100% of it', 'Rename user_name', 'Path C:\\TMP'];
      const without = ['Die GRÖSSE und die GRÖßE', "It is five o'clock"];
      await write(stores, { repo, titles: withBody, body: 'This stands IN THE BODY.' });
      await write(stores, { repo, titles: without, body: '' });
      const found = await titles(stores, { readableBy: callerOf(repo.userId), q });
      expect(found.reverse()).toEqual(expected === 'all' ? [...withBody, ...without] : expected);
    });
  });
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `Issue ${index}`);

async function write(
  stores: StoreHarness,
  given: { repo: Parameters<typeof newIssueOn>[0]; titles: readonly string[]; body?: string },
): Promise<Issue[]> {
  const written: Issue[] = [];
  for (const title of given.titles) {
    const issue = newIssueOn(given.repo, { title, ...(given.body === undefined ? {} : { body: given.body }) });
    written.push(applied(await stores.issues.create(issue, { queue: false })));
  }
  return written;
}

async function titles(
  stores: StoreHarness,
  query: Omit<Parameters<StoreHarness['issues']['list']>[0], 'limit' | 'cursor'>,
): Promise<string[]> {
  const { items } = await stores.issues.list({ ...query, limit: 100, cursor: null });
  return items.map(({ title }) => title);
}
