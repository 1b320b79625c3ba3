import type { ChangedSubjects, SubjectKind } from '@sluice/core/code-host';
import { z } from 'zod';
import { repoName } from '../client/host-address.ts';
import type { HostRequest, HostSession } from '../client/host-session.ts';
import { hostDate, hostNumber } from './wire-values.ts';

interface Touched {
  readonly kind: SubjectKind;
  readonly number: number;
  readonly at: Date;
}

const changed = z.object({ number: hostNumber, updated_at: hostDate });

/*
 * Three lists, each sorted by the last change. Comments update the time of an issue. Comments and pushes update that of a
 * pull request in the list of issues; reviews do so only in the list of pull requests; and editing a comment on a line
 * updates neither.
 */
const issues: z.ZodType<Touched[]> = z.array(
  changed.extend({ pull_request: z.unknown().optional() }).transform(({ number, updated_at, pull_request }) => ({
    kind: pull_request ? ('change_request' as const) : ('issue' as const),
    number,
    at: updated_at,
  })),
);
const changes: z.ZodType<Touched[]> = z.array(
  changed.transform(({ number, updated_at }) => ({ kind: 'change_request' as const, number, at: updated_at })),
);
const PULL_NUMBER = /\/pulls\/([1-9]\d{0,9})$/;
const lines: z.ZodType<Touched[]> = z.array(
  z
    .object({ pull_request_url: z.string().regex(PULL_NUMBER), updated_at: hostDate })
    .transform(({ pull_request_url, updated_at }) => ({
      kind: 'change_request' as const,
      number: Number(PULL_NUMBER.exec(pull_request_url)?.[1]),
      at: updated_at,
    })),
);

const PER_PAGE = 50; // a first page that is short enough to be sent at every change
const PAGES = 20; // a thousand changes since the last poll; older ones are not reported

/**
 * Polls the first page of each list, at the same URL each time so that its ETag stays valid while nothing changes, and then
 * the older entries back to the last poll. Times are the host's, in seconds, so the entry that was the newest at the last
 * poll is reported again together with new ones: it may have changed twice within the same second.
 */
export async function changedSince(
  host: HostSession,
  fullName: string,
  cursor: string | null,
): Promise<ChangedSubjects> {
  const repo = repoName(fullName);
  const before = readCursor(cursor);
  const order = { ...repo, sort: 'updated', direction: 'desc', per_page: PER_PAGE };
  const lists = await Promise.all([
    poll(host, request('GET /repos/{owner}/{repo}/issues', { ...order, state: 'all' }, issues), before?.issues),
    poll(host, request('GET /repos/{owner}/{repo}/pulls', { ...order, state: 'all' }, changes), before?.changes),
    poll(host, request('GET /repos/{owner}/{repo}/pulls/comments', order, lines), before?.lines),
  ]);
  const subjects = new Map<string, { kind: SubjectKind; number: number }>();
  for (const { kind, number } of lists.flatMap(({ touched }) => touched)) {
    subjects.set(`${kind} ${number}`, { kind, number });
  }
  const [first, second, third] = lists;
  return {
    subjects: [...subjects.values()],
    cursor: writeCursor({ issues: first.seen, changes: second.seen, lines: third.seen }),
  };
}

function request(
  route: string,
  parameters: Record<string, unknown>,
  schema: z.ZodType<Touched[]>,
): HostRequest<Touched[]> {
  return { route, parameters, schema };
}

async function poll(
  host: HostSession,
  list: HostRequest<Touched[]>,
  before: Seen | undefined,
): Promise<{ touched: readonly Touched[]; seen: Seen }> {
  const first = await host.sendIfChanged(list, before?.etag ?? null);
  if (first === null) return { touched: [], seen: before ?? { etag: null, until: null } };
  const newest = first.data[0]?.at.toISOString() ?? before?.until ?? null;
  const seen = { etag: first.etag, until: newest };
  if (before === undefined) return { touched: [], seen };

  const since = before.until === null ? 0 : Date.parse(before.until);
  const isNew = ({ at }: Touched) => at.getTime() >= since;
  const touched = first.data.filter(isNew);
  let { data, next } = first;
  for (let page = 2; page <= PAGES && next !== null && data.every(isNew); page += 1) {
    ({ data, next } = await host.send({ ...list, parameters: { ...list.parameters, page } }));
    touched.push(...data.filter(isNew));
  }
  return { touched, seen };
}

/** The state of one list at the last poll: the ETag of its first page, and the time of its newest entry. */
const seen = z.object({ etag: z.string().nullable(), until: z.iso.datetime().nullable() });
type Seen = z.output<typeof seen>;

const cursorSchema = z.object({ v: z.literal(1), issues: seen, changes: seen, lines: seen });
type ChangeCursor = Omit<z.output<typeof cursorSchema>, 'v'>;

function writeCursor(cursor: ChangeCursor): string {
  return Buffer.from(JSON.stringify({ v: 1, ...cursor })).toString('base64url');
}

/** Null for an unreadable cursor, such as one of another version: the next poll starts over. */
function readCursor(text: string | null): ChangeCursor | null {
  if (text === null) return null;
  try {
    return cursorSchema.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString())).data ?? null;
  } catch {
    return null;
  }
}
