import type { Caller } from '../access/caller.ts';
import type { RepoId } from '../id/id.ts';
import type { Repo } from '../repo/repo.ts';
import type { RepoStore } from '../repo/repo-store.ts';
import { type OutcomeFigures, outcomesOf } from './outcome-figures.ts';
import type { OutcomeRow, OutcomeStore } from './outcome-store.ts';

/** By what outcomes are compared. Never by person. */
export const outcomeGroupings = ['repo', 'model', 'prompt_revision'] as const;
export type OutcomeGrouping = (typeof outcomeGroupings)[number];

export interface OutcomeQuestion {
  readonly caller: Caller;
  /** Only of this repository, which the caller must be allowed to read. */
  readonly repo: Pick<Repo, 'id' | 'name'> | null;
  /** Opened at this time or later. */
  readonly from: Date | null;
  /** Opened before this time. */
  readonly to: Date | null;
  readonly groupBy: OutcomeGrouping | null;
}

interface OutcomeGroup {
  /** The name of the repository, the models or the revision; null where it is not known. */
  readonly name: string | null;
  /** Of a group by repository. */
  readonly repoId: RepoId | null;
  readonly figures: OutcomeFigures;
}

export interface Outcomes {
  readonly total: OutcomeFigures;
  /** In the order of their first pull requests; empty when nothing is grouped. */
  readonly groups: readonly OutcomeGroup[];
}

/** What became of the pull requests of the caller's repositories. Those of deleted issues and repositories are not among them. */
export async function readOutcomes(
  context: { readonly repos: Pick<RepoStore, 'list'>; readonly outcomes: Pick<OutcomeStore, 'list'> },
  question: OutcomeQuestion,
): Promise<Outcomes> {
  const repos = question.repo === null ? await allRepos(context.repos, question.caller) : [question.repo];
  const rows: OutcomeRow[] = [];
  for (const { id } of repos) rows.push(...(await allRows(context.outcomes, id, question)));
  const { groupBy } = question;
  if (groupBy === null) return { total: outcomesOf(rows), groups: [] };
  const names = new Map(repos.map(({ id, name }) => [id, name]));
  const byName = Map.groupBy(
    rows.toSorted((one, other) => one.openedAt.getTime() - other.openedAt.getTime()),
    (row) => groupOf[groupBy](row),
  );
  const groups = [...byName].map(([name, rows]) => {
    const repoId = groupBy === 'repo' ? (name as RepoId) : null;
    return { name: repoId === null ? name : (names.get(repoId) ?? null), repoId, figures: outcomesOf(rows) };
  });
  return { total: outcomesOf(rows), groups };
}

const groupOf: Readonly<Record<OutcomeGrouping, (row: OutcomeRow) => string | null>> = {
  repo: ({ repoId }) => repoId,
  // A change that two models made is in a group of its own: each is in one group, and the groups add up.
  model: ({ models }) => (models.length === 0 ? null : models.join(', ')),
  prompt_revision: ({ promptRevision }) => promptRevision,
};

const REPOS = 100;

async function allRepos(store: Pick<RepoStore, 'list'>, caller: Caller): Promise<readonly Repo[]> {
  const repos: Repo[] = [];
  let cursor: string | null = null;
  do {
    const page = await store.list(caller, { limit: REPOS, cursor });
    repos.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return repos;
}

const ROWS = 200; // some 8 ms on SQLite, in which all else waits; 10,000 take a third of a second

async function allRows(
  store: Pick<OutcomeStore, 'list'>,
  repoId: RepoId,
  { from, to }: OutcomeQuestion,
): Promise<readonly OutcomeRow[]> {
  const rows: OutcomeRow[] = [];
  for (;;) {
    const page = await store.list({ repoId, from, to, after: rows.at(-1)?.number ?? 0, limit: ROWS });
    rows.push(...page);
    if (page.length < ROWS) return rows;
  }
}
