import type { ChangedSubjects, SubjectKind } from '@sluice/core';
import { z } from 'zod';
import { readCursor, type Seen, writeCursor } from './change-cursor.ts';
import { repoName } from './host-address.ts';
import type { Asked, HostSession } from './host-session.ts';
import { hostDate, hostNumber } from './wire-values.ts';

interface Touched {
  readonly kind: SubjectKind;
  readonly number: number;
  readonly at: Date;
}

const changed = z.object({ number: hostNumber, updated_at: hostDate });

/*
 * Three lists, each with the last changed first. The time of an issue moves with its comments; that of a pull request in
 * the list of issues moves with comments and pushes, but not with every review, for which there is its own list; and a
 * comment on a line that somebody edits moves neither.
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

const PER_LOOK = 50; // a first page that is not too long to be sent whenever something has changed
const PAGES = 20; // a thousand changes since the last look; what is older than those is not told of

/**
 * Looks at the first page of each list, under the same address each time so that its ETag holds as long as nothing
 * changes, and goes on to older entries as far as the last look. The times are the host's own, to the second, so the
 * entry that was the newest one is told of again beside new ones: it may have changed twice within its second.
 */
export async function changedSince(
  host: HostSession,
  fullName: string,
  cursor: string | null,
): Promise<ChangedSubjects> {
  const repo = repoName(fullName);
  const before = readCursor(cursor);
  const order = { ...repo, sort: 'updated', direction: 'desc', per_page: PER_LOOK };
  const looks = await Promise.all([
    look(host, ask('GET /repos/{owner}/{repo}/issues', { ...order, state: 'all' }, issues), before?.issues),
    look(host, ask('GET /repos/{owner}/{repo}/pulls', { ...order, state: 'all' }, changes), before?.changes),
    look(host, ask('GET /repos/{owner}/{repo}/pulls/comments', order, lines), before?.lines),
  ]);
  const subjects = new Map<string, { kind: SubjectKind; number: number }>();
  for (const { kind, number } of looks.flatMap(({ touched }) => touched)) {
    subjects.set(`${kind} ${number}`, { kind, number });
  }
  const [first, second, third] = looks;
  return {
    subjects: [...subjects.values()],
    cursor: writeCursor({ issues: first.seen, changes: second.seen, lines: third.seen }),
  };
}

function ask(route: string, parameters: Record<string, unknown>, shape: z.ZodType<Touched[]>): Asked<Touched[]> {
  return { route, parameters, shape };
}

async function look(
  host: HostSession,
  asked: Asked<Touched[]>,
  before: Seen | undefined,
): Promise<{ touched: readonly Touched[]; seen: Seen }> {
  const first = await host.askIfChanged(asked, before?.etag ?? null);
  if (first === null) return { touched: [], seen: before ?? { etag: null, until: null } };
  const newest = first.data[0]?.at.toISOString() ?? before?.until ?? null;
  const seen = { etag: first.etag, until: newest };
  if (before === undefined) return { touched: [], seen };

  const since = before.until === null ? 0 : Date.parse(before.until);
  const isNew = ({ at }: Touched) => at.getTime() >= since;
  const touched = first.data.filter(isNew);
  let { data, next } = first;
  for (let page = 2; page <= PAGES && next !== null && data.every(isNew); page += 1) {
    ({ data, next } = await host.ask({ ...asked, parameters: { ...asked.parameters, page } }));
    touched.push(...data.filter(isNew));
  }
  return { touched, seen };
}
