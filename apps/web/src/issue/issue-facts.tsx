import type { Issue, Repo } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMilestones } from '../events/use-milestones.ts';
import { formatCost, formatTokens } from '../format/amounts.ts';
import { buildNotes, buildWords } from '../format/build-words.ts';
import { causeWords } from '../format/cause-words.ts';
import { branchUrl } from '../format/code-host-links.ts';
import { formatDuration } from '../format/duration.ts';
import { remarkWords } from '../format/remark-words.ts';
import { visibleText } from '../format/visible-text.ts';
import { memberName } from '../members/member-name.ts';
import { outcomeQuery } from '../session/issue-queries.ts';
import { membersQuery, profileQuery } from '../session/queries.ts';
import { Badge } from '../ui/badge.tsx';
import { Fact } from '../ui/fact.tsx';
import { OutsideLink } from '../ui/outside-link.tsx';
import { RelativeTime } from '../ui/time.tsx';
import styles from './issue-header.module.css';

interface IssueFactsProps {
  readonly issue: Issue;
  readonly repo: Repo | undefined;
}

/** What an issue has cost and where it belongs: money, repository, branches, origin, labels and its pages at the code host. */
export function IssueFacts({ issue, repo }: IssueFactsProps) {
  return (
    <dl className={styles.facts}>
      {drawn.map(([field, Facts]) => (
        <Facts key={field} issue={issue} repo={repo} />
      ))}
    </dl>
  );
}

/** The facts in their order, by the field that they show. Null: another part of the page shows it, or none. */
const facts: Readonly<Record<keyof Issue, ((props: IssueFactsProps) => ReactNode) | null>> = {
  usage: ({ issue: { usage, budget } }) => (
    <>
      <Fact name="Cost">
        <strong>{formatCost(usage.cost_usd)}</strong>
        {budget?.cost_usd.left != null && <Soft>{formatCost(budget.cost_usd.left)} left</Soft>}
      </Fact>
      <Fact name="Tokens">
        {formatTokens(usage.input_tokens + usage.output_tokens)}
        {budget?.tokens.left != null && <Soft>{formatTokens(budget.tokens.left)} left</Soft>}
      </Fact>
    </>
  ),
  budget: ({ issue: { budget } }) =>
    budget !== null &&
    budget.active_ms.used !== null &&
    budget.active_ms.used > 0 && (
      <Fact name="Work">
        {formatDuration(budget.active_ms.used)}
        {budget.active_ms.left !== null && <Soft>{formatDuration(budget.active_ms.left)} left</Soft>}
      </Fact>
    ),
  repo_id: ({ issue, repo }) => (
    <Fact name="Repository">
      {repo !== undefined && (
        <Link to="/repos/$id" params={{ id: issue.repo_id }}>
          <bdi>{visibleText(repo.name)}</bdi>
        </Link>
      )}
    </Fact>
  ),
  base_branch: ({ issue }) => (
    <Fact name="Base branch">
      <code>{visibleText(issue.base_branch)}</code>
    </Fact>
  ),
  result: ({ issue: { result, change_request_state: state }, repo }) => (
    <>
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
          {state !== null && <Badge>{state}</Badge>}
        </Fact>
      )}
    </>
  ),
  change_request_state: ({ issue }) => issue.change_request_state !== null && <BuildFact id={issue.id} />,
  follow_up: ({ issue }) => <RemarksFact issue={issue} />,
  created_at: ({ issue }) => (
    <Fact name="Created">
      <RelativeTime at={issue.created_at} /> <Origin issue={issue} /> <Author issue={issue} />
    </Fact>
  ),
  labels: ({ issue: { labels } }) =>
    labels.length > 0 && (
      <Fact name="Labels">
        {labels.map((label) => (
          <Badge key={label}>
            <bdi>{visibleText(label)}</bdi>
          </Badge>
        ))}
      </Fact>
    ),
  // With the time of its creation.
  origin: null,
  created_by: null,
  parent_issue_id: null,
  codehost_number: null,
  codehost_url: null,
  // In the header, or in the sentence that says how it stands.
  id: null,
  title: null,
  status: null,
  stage: null,
  queue_position: null,
  queue_reason: null,
  waits_for_repo: null,
  held_by_budget: null,
  updated_at: null,
  queued_at: null,
  started_at: null,
  finished_at: null,
  // In sections of their own.
  body: null,
  plan: null,
  gate: null,
  error: null,
  triage: null,
  commands: null,
  form: null,
};

const drawn = Object.entries(facts).filter((fact): fact is [string, NonNullable<(typeof fact)[1]>] => fact[1] !== null);

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

/** How the build of the pull request stands at the code host; nothing where none is known. */
function BuildFact({ id }: { readonly id: string }) {
  const { data: outcome } = useQuery(outcomeQuery(id));
  const build = outcome?.build ?? null; // absent in answers of older servers
  if (build === null) return null;
  const { badge, tone } = buildWords[build.verdict];
  const names = build.failed.map(visibleText).join(', ');
  return (
    <Fact name="Build">
      <OutsideLink href={build.url}>{names === '' ? 'at the code host' : names}</OutsideLink>
      <Badge tone={tone} title={buildNotes(build).map(visibleText).join(' ')}>
        {badge}
      </Badge>
    </Fact>
  );
}

/** The remarks on a pull request that a follow-up is about, and what became of each; nothing for other issues. */
function RemarksFact({ issue }: { readonly issue: Issue }) {
  const { remarks: answered } = useMilestones(issue);
  const cause = issue.follow_up;
  const remarks = cause?.kind === 'comment' || cause?.kind === 'review' ? (cause.remarks ?? []) : [];
  if (remarks.length === 0) return null;
  return (
    <Fact name={remarks.length === 1 ? 'Remark' : 'Remarks'}>
      {remarks.map(({ id, path, line, url, text }) => {
        const outcome = answered[id];
        return (
          <span key={id} title={visibleText(text)}>
            <OutsideLink href={url}>
              {path === null ? 'in the conversation' : visibleText(`${path}${line === null ? '' : `:${line}`}`)}
            </OutsideLink>{' '}
            <Badge>{outcome === undefined ? 'no answer yet' : remarkWords[outcome]}</Badge>{' '}
          </span>
        );
      })}
    </Fact>
  );
}
