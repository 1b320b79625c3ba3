import type { SeededDatabase } from './seeded-database.ts';

const DAY_MS = 86_400_000;

/** Pull requests of one issue: merged, reverted, open and closed, of which the reason is asked for. */
export function seedOutcomes(
  database: SeededDatabase,
  { repoId, issueId, models = ['a model'] }: { repoId: string; issueId: string; models?: readonly string[] },
): void {
  const now = Date.now();
  const opened = { repo_id: repoId, issue_id: issueId, opened_at: now - 5 * DAY_MS, ready_at: now - 5 * DAY_MS };
  const record = { ...opened, models, head_commit: 'c0ffee', at_first_sight: 1, updated_at: now };
  const merged = { ...record, state: 'merged', merged_at: now - 4 * DAY_MS, first_build: 'success' };
  database.insert('change_requests', [
    { ...merged, number: 101 },
    { ...merged, number: 102, people_commits: 2, review_rounds: 1, models: ['another model'] },
    { ...merged, number: 103, reverted_at: now - DAY_MS, first_build: 'failure', at_first_sight: 0 },
    { ...record, number: 104, state: 'open' },
    { ...record, number: 105, state: 'closed', closed_at: now - DAY_MS, close_asked_at: now - DAY_MS },
  ]);
}
