import type { Issue, IssueResult } from '@sluice/core/issue';

/** The result of an issue that ends with an answer: no branch and no change. */
export function answeredResult(
  { pipeline }: Pick<Issue, 'pipeline'>,
  { answer, summary = answer }: { readonly answer: string; readonly summary?: string },
): IssueResult {
  const commit = pipeline.prepared?.base_commit ?? '';
  return {
    branch: null,
    base_commit: commit,
    head_commit: commit,
    change_request_url: null,
    summary,
    files_changed: 0,
    additions: 0,
    deletions: 0,
    tests: null,
    findings: [],
    answer,
  };
}
