import type { SluiceClient } from '@sluice/client';
import { CommandError, exitCode } from '../terminal/exit-code.ts';
import { plainLine } from '../terminal/plain-text.ts';

const WHOLE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const PART = /^[0-9a-f-]+$/i;
const SHOWN = 5;

interface Named {
  readonly id: string;
  readonly name: string;
}

/** An issue's id from any ending of it that no other of the user's issues has. */
export async function findIssue(client: Pick<SluiceClient, 'issues'>, given: string): Promise<string> {
  if (WHOLE.test(given)) return given.toLowerCase();
  const issues = eachPage((cursor) => client.issues.list.query({ limit: 100, ...cursor }));
  const found = await endingIn(issues, given, ({ id, title }) => ({ id, name: title }));
  return theOne(found, { given, what: 'issue', list: 'issues list' });
}

/** A repository's id from its name, its URL, or any ending of its id that no other one has. */
export async function findRepo(client: Pick<SluiceClient, 'repos'>, given: string): Promise<string> {
  if (WHOLE.test(given)) return given.toLowerCase();
  const repos: { id: string; name: string; url: string }[] = [];
  for await (const repo of eachPage((cursor) => client.repos.list.query({ limit: 100, ...cursor }))) repos.push(repo);
  const called = repos.filter(({ name, url }) => name === given || url === given);
  const found = called.length > 0 ? called : PART.test(given) ? repos.filter(({ id }) => endsIn(id, given)) : [];
  return theOne(found, { given, what: 'repository', list: 'repos list' });
}

async function endingIn<T>(items: AsyncIterable<T>, given: string, named: (item: T) => Named): Promise<Named[]> {
  const found: Named[] = [];
  if (!PART.test(given)) return found;
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

async function* eachPage<T>(read: (cursor: { cursor?: string }) => Promise<Page<T>>): AsyncGenerator<T> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Page<T> = await read(cursor === undefined ? {} : { cursor });
    yield* page.items;
    cursor = page.next_cursor;
  }
}

function theOne(found: readonly Named[], asked: { given: string; what: string; list: string }): string {
  const [one, ...others] = found;
  const { given, what, list } = asked;
  if (one === undefined) {
    throw new CommandError(exitCode.notFound, `You have no ${what} ${plainLine(given)}: sluice ${list} shows them.`);
  }
  if (others.length === 0) return one.id;
  const names = found.slice(0, SHOWN).map(({ id, name }) => `  ${id}  ${plainLine(name)}`);
  const more = found.length > SHOWN ? [`  … and ${found.length - SHOWN} more`] : [];
  throw new CommandError(
    exitCode.usage,
    [`${found.length} of yours are meant by ${plainLine(given)}; give more of the id:`, ...names, ...more].join('\n'),
  );
}
