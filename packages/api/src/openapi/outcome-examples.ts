const OPENED = '2026-11-20T10:02:00.000Z';
const CLOSED = '2026-11-23T08:30:00.000Z';
const ANSWERED = '2026-11-23T09:01:00.000Z';

/** A pull request that a person closed, and said why. */
export function outcomeExample({ issueId, userId }: { readonly issueId: string; readonly userId: string }) {
  return {
    number: 9,
    issue_id: issueId,
    state: 'closed',
    opened_at: OPENED,
    ready_at: OPENED,
    merged_at: null,
    closed_at: CLOSED,
    reverted_at: null,
    people_commits: 0,
    review_rounds: 1,
    build_rounds: 0,
    first_build: 'success',
    build: {
      commit: '9d3b52c8e07fa6144bd2e9318c5fa07d6e1b2c43',
      verdict: 'failure',
      failed: ['lint'],
      also_failing_at_base: ['lint'],
      optional_failed: [],
      url: 'https://github.com/owner/name/actions/runs/42/job/7',
    },
    models: ['anthropic/claude-sonnet-4-5'],
    prompt_revision: '5f0c2b9a71de',
    approved_at_first_sight: true,
    close: {
      asked_at: CLOSED,
      reason: 'too_large',
      note: 'In three parts, please.',
      answered_by: userId,
      answered_at: ANSWERED,
    },
  };
}

/** The outcomes of four pull requests in one repository. */
export function outcomesExample({ repoId, repoName }: { readonly repoId: string; readonly repoName: string }) {
  const figures = {
    opened: 4,
    merged: 2,
    closed: 1,
    still_open: 1,
    reverted: 0,
    time_to_merge_median: 5_400,
    time_to_merge_p90: 86_400,
    people_commits: 1,
    merged_untouched: 0.5,
    review_rounds: 0.75,
    first_build_success: 3,
    first_build_failure: 1,
    first_build_cancelled: 0,
    first_build_green: 0.75,
    cost_usd: 3.42,
    cost_unknown: 0,
    cost_per_merged_usd: 1.71,
    approved_at_first_sight: 0.75,
    close_reasons: {
      not_needed: 0,
      wrong_approach: 0,
      poor_quality: 0,
      too_large: 1,
      duplicate: 0,
      done_elsewhere: 0,
      other: 0,
    },
  };
  return {
    group_by: 'repo',
    period: { from: '2026-08-29T09:15:00.000Z', to: null },
    total: figures,
    groups: [{ ...figures, group: repoName, repo_id: repoId }],
  };
}
