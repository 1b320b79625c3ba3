import type { Member, NotificationTarget, Repo, SluiceClient } from '@sluice/client';
import { ownCommand } from '../terminal/environment.ts';
import { CommandError, exitCode } from '../terminal/exit-code.ts';
import { plainLine } from '../terminal/plain-text.ts';

const FULL_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ID_PART = /^[0-9a-f-]+$/i;
const MAX_LISTED = 5;

type Session = Awaited<ReturnType<SluiceClient['auth']['sessions']['list']['query']>>['items'][number];

export interface Named {
  readonly id: string;
  readonly name: string;
}

/** Finds an issue by its id, or by an ending of the id that is unique among the user's issues. */
export async function findIssue(client: Pick<SluiceClient, 'issues'>, given: string): Promise<string> {
  if (FULL_ID.test(given)) return given.toLowerCase();
  const issues = itemsOfPages((cursor) => client.issues.list.query({ limit: 100, fields: 'summary', ...cursor }));
  const found = await endingIn(issues, given, ({ id, title }) => ({ id, name: title }));
  return onlyMatch(found, { given, what: 'issue', list: 'issues list' });
}

/** Finds a repository by its name, URL or id, or by a unique ending of the id. */
export async function findRepo(client: Pick<SluiceClient, 'repos'>, given: string): Promise<string> {
  if (FULL_ID.test(given)) return given.toLowerCase();
  const repos = await Array.fromAsync(allRepos(client));
  const byName = repos.filter(({ name, url }) => name === given || url === given);
  const found = byName.length > 0 ? byName : ID_PART.test(given) ? repos.filter(({ id }) => endsIn(id, given)) : [];
  return onlyMatch(found, { given, what: 'repository', list: 'repos list' });
}

/** The user's repositories, newest first. */
export function allRepos(client: Pick<SluiceClient, 'repos'>): AsyncIterable<Repo> {
  return itemsOfPages((cursor) => client.repos.list.query({ limit: 100, ...cursor }));
}

/** Finds a session of the user by its id or by a unique ending of it. */
export async function findSession(client: Pick<SluiceClient, 'auth'>, given: string): Promise<string> {
  if (FULL_ID.test(given)) return given.toLowerCase();
  const found = await endingIn(allSessions(client), given, ({ id, client: name }) => ({ id, name: name ?? '' }));
  return onlyMatch(found, { given, what: 'session', list: 'sessions list' });
}

/** Finds a notification target by its id, by a unique ending of it, by its description, or the one for e-mail by `email`. */
export async function findTarget(
  client: Pick<SluiceClient, 'notifications'>,
  given: string,
): Promise<NotificationTarget> {
  const { items } = await client.notifications.list.query();
  if (given === 'email' && items.every(({ channel }) => channel !== 'email')) {
    throw new CommandError(
      exitCode.notFound,
      `You get no e-mails. Turn them on: ${ownCommand()} notifications email on`,
    );
  }
  const byName = items.filter(({ channel, description }) =>
    given === 'email' ? channel === 'email' : given !== '' && description === given,
  );
  const found = byName.length > 0 ? byName : ID_PART.test(given) ? items.filter(({ id }) => endsIn(id, given)) : [];
  const named = found.map(({ id, url, description }) => ({ id, name: description ?? url ?? 'e-mail' }));
  const id = onlyMatch(named, { given, what: 'notification target', list: 'notifications list' });
  return await client.notifications.get.query({ id });
}

/** Finds a member of a repository by e-mail, by login at the code host, by id or by a unique ending of it. */
export async function findMember(
  client: Pick<SluiceClient, 'repos'>,
  { repoId, given }: { readonly repoId: string; readonly given: string },
): Promise<Member> {
  const { items } = await client.repos.members.query({ id: repoId });
  const key = given.toLowerCase();
  const byName = items.filter(({ email, codehost_login: login }) =>
    [email, login].some((name) => name?.toLowerCase() === key),
  );
  const found =
    byName.length > 0 ? byName : ID_PART.test(given) ? items.filter(({ user_id }) => endsIn(user_id, given)) : [];
  const [one] = found;
  if (one !== undefined && found.length === 1) return one;
  const problem = one === undefined ? 'The repository has no member' : `${found.length} members are called`;
  throw new CommandError(
    one === undefined ? exitCode.notFound : exitCode.usage,
    `${problem} "${plainLine(given)}". List them with: ${ownCommand()} members list`,
  );
}

/** Finds one of the last deliveries of a target by its id or by a unique ending of it. */
export async function findDelivery(
  client: Pick<SluiceClient, 'notifications'>,
  { targetId, given }: { readonly targetId: string; readonly given: string },
): Promise<string> {
  if (FULL_ID.test(given)) return given.toLowerCase();
  const { items } = await client.notifications.deliveries.query({ id: targetId, limit: 100 });
  const found = ID_PART.test(given) ? items.filter(({ id }) => endsIn(id, given)) : [];
  const named = found.map(({ id, notification }) => ({ id, name: notification.type }));
  return onlyMatch(named, { given, what: 'delivery', list: `notifications deliveries ${targetId}` });
}

/** Finds an API token by its id or by a unique ending of it: one of the user's, or one that is limited to a repository. */
export async function findToken(
  client: Pick<SluiceClient, 'tokens' | 'repos'>,
  { repoId, given }: { readonly repoId: string | null; readonly given: string },
): Promise<string> {
  if (FULL_ID.test(given)) return given.toLowerCase();
  const tokens = itemsOfPages<Named>((cursor) =>
    repoId === null
      ? client.tokens.list.query({ limit: 100, ...cursor })
      : client.repos.tokens.query({ id: repoId, limit: 100, ...cursor }),
  );
  const found = await endingIn(tokens, given, (one) => one);
  return onlyMatch(found, { given, what: 'API token', list: 'tokens list' });
}

/** The user's sessions, newest first. */
export function allSessions(client: Pick<SluiceClient, 'auth'>): AsyncIterable<Session> {
  return itemsOfPages((cursor) => client.auth.sessions.list.query({ limit: 100, ...cursor }));
}

async function endingIn<T>(items: AsyncIterable<T>, given: string, named: (item: T) => Named): Promise<Named[]> {
  const found: Named[] = [];
  if (!ID_PART.test(given)) return found;
  for await (const item of items) {
    const one = named(item);
    if (endsIn(one.id, given)) found.push(one);
  }
  return found;
}

function endsIn(id: string, given: string): boolean {
  return id.endsWith(given.toLowerCase());
}

type Page<T> = { items: readonly T[]; next_cursor: string | null };

/** Reads a list to its end, a page at a time. */
async function* itemsOfPages<T>(read: (cursor: { cursor?: string }) => Promise<Page<T>>): AsyncGenerator<T> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Page<T> = await read(cursor === undefined ? {} : { cursor });
    yield* page.items;
    cursor = page.next_cursor;
  }
}

/** Returns the id of the only match. @throws CommandError when not exactly one was found */
export function onlyMatch(found: readonly Named[], request: { given: string; what: string; list: string }): string {
  const [one, ...others] = found;
  const { given, what, list } = request;
  if (one === undefined) {
    throw new CommandError(
      exitCode.notFound,
      `You have no ${what} "${plainLine(given)}". List yours with: ${ownCommand()} ${list}`,
    );
  }
  if (others.length === 0) return one.id;
  const names = found.slice(0, MAX_LISTED).map(({ id, name }) => `  ${id}  ${plainLine(name)}`);
  const more = found.length > MAX_LISTED ? [`  … and ${found.length - MAX_LISTED} more`] : [];
  throw new CommandError(
    exitCode.usage,
    [`${found.length} ids end in "${plainLine(given)}". Give more of the id:`, ...names, ...more].join('\n'),
  );
}
