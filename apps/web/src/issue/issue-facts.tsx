import type { Issue, Repo } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatCost, formatTokens } from '../format/amounts.ts';
import { causeWords } from '../format/cause-words.ts';
import { branchUrl } from '../format/code-host-links.ts';
import { formatDuration } from '../format/duration.ts';
import { visibleText } from '../format/visible-text.ts';
import { memberName } from '../members/member-name.ts';
import { membersQuery, profileQuery } from '../session/queries.ts';
import { Badge } from '../ui/badge.tsx';
import { Fact } from '../ui/fact.tsx';
import { OutsideLink } from '../ui/outside-link.tsx';
import { RelativeTime } from '../ui/time.tsx';
import { BuildFact } from './build-fact.tsx';
import styles from './issue-header.module.css';
import { RemarksFact } from './remarks-fact.tsx';

interface IssueFactsProps {
  readonly issue: Issue;
  readonly repo: Repo | undefined;
}

/** What an issue has cost and where it belongs: money, repository, branches, origin, labels and its pages at the code host. */
export function IssueFacts({ issue, repo }: IssueFactsProps) {
  const { usage, budget, result } = issue;
  const tokens = usage.input_tokens + usage.output_tokens;
  return (
    <dl className={styles.facts}>
      <Fact name="Cost">
        <strong>{formatCost(usage.cost_usd)}</strong>
        {budget?.cost_usd.left != null && <Soft>{formatCost(budget.cost_usd.left)} left</Soft>}
      </Fact>
      <Fact name="Tokens">
        {formatTokens(tokens)}
        {budget?.tokens.left != null && <Soft>{formatTokens(budget.tokens.left)} left</Soft>}
      </Fact>
      {budget !== null && budget.active_ms.used !== null && budget.active_ms.used > 0 && (
        <Fact name="Work">
          {formatDuration(budget.active_ms.used)}
          {budget.active_ms.left !== null && <Soft>{formatDuration(budget.active_ms.left)} left</Soft>}
        </Fact>
      )}
      <Fact name="Repository">
        {repo !== undefined && (
          <Link to="/repos/$id" params={{ id: issue.repo_id }}>
            <bdi>{visibleText(repo.name)}</bdi>
          </Link>
        )}
      </Fact>
      <Fact name="Base branch">
        <code>{visibleText(issue.base_branch)}</code>
      </Fact>
      {result?.branch != null && (
        <Fact name="Branch">
          <OutsideLink href={repo === undefined ? null : branchUrl(repo, result.branch)}>
            <code>{visibleText(result.branch)}</code>
          </OutsideLink>
        </Fact>
      )}
      {result?.change_request_url != null && (
        <Fact name="Pull request">
          <OutsideLink href={result.change_request_url}>{numberOf(result.change_request_url)}</OutsideLink>
          {issue.change_request_state !== null && <Badge>{issue.change_request_state}</Badge>}
        </Fact>
      )}
      {issue.change_request_state !== null && <BuildFact id={issue.id} />}
      <RemarksFact issue={issue} />
      <Fact name="Created">
        <RelativeTime at={issue.created_at} /> <Origin issue={issue} /> <Author issue={issue} />
      </Fact>
      {issue.labels.length > 0 && (
        <Fact name="Labels">
          {issue.labels.map((label) => (
            <Badge key={label}>
              <bdi>{visibleText(label)}</bdi>
            </Badge>
          ))}
        </Fact>
      )}
    </dl>
  );
}

function Origin({
  issue: { origin, codehost_url: url, codehost_number: number, parent_issue_id: parent, follow_up: cause },
}: {
  issue: Issue;
}) {
  if (origin === 'follow_up' && parent !== null) {
    return (
      <>
        as a follow-up of{' '}
        <Link to="/issues/$id" params={{ id: parent }}>
          another issue
        </Link>
        {cause !== null && (
          <>
            , <OutsideLink href={url}>{causeWords[cause.kind]}</OutsideLink>
          </>
        )}
      </>
    );
  }
  if (url !== null)
    return <OutsideLink href={url}>{number === null ? 'at the code host' : `from issue #${number}`}</OutsideLink>;
  return origin === 'codehost' ? 'at the code host' : 'in Sluice';
}

/** Who created it, where that is somebody else. */
function Author({ issue: { created_by: author, repo_id: repoId } }: { readonly issue: Issue }) {
  const me = useQuery(profileQuery).data?.id;
  const isOther = author !== null && me !== undefined && author !== me;
  const members = useQuery({ ...membersQuery(repoId), enabled: isOther }).data;
  if (!isOther) return null;
  const member = members?.find(({ user_id: id }) => id === author);
  return <>by {member === undefined ? 'a former member' : <bdi>{memberName(member)}</bdi>}</>;
}

function Soft({ children }: { readonly children: ReactNode }) {
  return <span className={styles.soft}>{children}</span>;
}

function numberOf(url: string): string {
  const number = /\/(\d+)\/?$/.exec(url)?.[1];
  return number === undefined ? 'open it' : `#${number}`;
}
