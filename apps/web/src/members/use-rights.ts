import type { Issue } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { profileQuery, repoQuery } from '../session/queries.ts';
import { type issueRights, mayOnIssue } from './roles.ts';

/** Says what the user may do with an issue. */
export function useRights(issue: Pick<Issue, 'repo_id' | 'created_by'>): (act: keyof typeof issueRights) => boolean {
  const repo = useQuery(repoQuery(issue.repo_id)).data;
  const me = useQuery(profileQuery).data?.id;
  return (act) => mayOnIssue(act, { issue, repo, me });
}
