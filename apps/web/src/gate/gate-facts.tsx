import type { Issue, Repo } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatCost, formatTokens } from '../format/amounts.ts';
import { commitUrl } from '../format/code-host-links.ts';
import { formatDuration } from '../format/duration.ts';
import { formatExact } from '../format/relative-time.ts';
import { shortCommit } from '../format/short-commit.ts';
import { visibleText } from '../format/visible-text.ts';
import { memberName } from '../members/member-name.ts';
import { membersQuery } from '../session/queries.ts';
import { Fact } from '../ui/fact.tsx';
import { useNow } from '../ui/now.ts';
import { OutsideLink } from '../ui/outside-link.tsx';
import { RelativeTime } from '../ui/time.tsx';
import { approvalProgress } from './approval-words.ts';
import styles from './gate.module.css';

interface GateFactsProps {
  readonly issue: Issue & { readonly gate: NonNullable<Issue['gate']> };
  readonly repo: Pick<Repo, 'url' | 'provider'> | undefined;
  /** Whether the base has moved, in words. */
  readonly base?: ReactNode;
}

/** What the decision costs and is bound to: kind and risk, money so far, commits, commands, the deadline. */
export function GateFacts({ issue, repo, base }: GateFactsProps) {
  const { gate, triage, usage, commands } = issue;
  const tokens = usage.input_tokens + usage.output_tokens;
  return (
    <dl className={styles.facts}>
      {triage !== null && (
        <Fact name="Kind">
          {triage.kind}, {triage.risk} risk
        </Fact>
      )}
      <Fact name="Cost so far">
        {formatCost(usage.cost_usd)}, {formatTokens(tokens)}
      </Fact>
      {gate.estimate !== null && <Fact name="Ahead">{gate.estimate.summary}</Fact>}
      {gate.head_commit !== null && (
        <Fact name="Commit to publish">
          <Commit repo={repo} commit={gate.head_commit} isPublic={false} />
        </Fact>
      )}
      {gate.base_commit !== null && (
        <Fact name="Base commit">
          <Commit repo={repo} commit={gate.base_commit} isPublic /> of <bdi>{visibleText(issue.base_branch)}</bdi>
          {base !== undefined && <p className={styles.soft}>{base}</p>}
        </Fact>
      )}
      {commands !== null && <Fact name="Setup">{commandOf(commands.setup, 'none runs')}</Fact>}
      {commands !== null && (
        <Fact name="Tests">{commandOf(commands.test, 'no command: the change is not tested')}</Fact>
      )}
      {(gate.approvals_needed > 1 || !gate.requester_approves) && (
        <Fact name="Approval">
          <Approvals issue={issue} />
        </Fact>
      )}
      <Fact name="Asked">
        <RelativeTime at={gate.requested_at} />
      </Fact>
      {gate.expires_at !== null && (
        <Fact name="Decide">
          <Deadline at={gate.expires_at} />
        </Fact>
      )}
    </dl>
  );
}

function Commit({ repo, commit, isPublic }: { repo: GateFactsProps['repo']; commit: string; isPublic: boolean }) {
  const url = repo === undefined || !isPublic ? null : commitUrl(repo, commit);
  return (
    <OutsideLink href={url}>
      <code title={commit}>{shortCommit(commit)}</code>
    </OutsideLink>
  );
}

/** The approvals so far, and whether the requester's counts. */
function Approvals({ issue: { gate, repo_id: repoId } }: Pick<GateFactsProps, 'issue'>) {
  const members = useQuery(membersQuery(repoId)).data ?? [];
  const nameOf = (userId: string) => {
    const member = members.find(({ user_id: id }) => id === userId);
    return member === undefined ? 'a former member' : memberName(member);
  };
  return (
    <>
      {approvalProgress(gate, nameOf)}
      {!gate.requester_approves && <p className={styles.soft}>not by the person who created the issue</p>}
    </>
  );
}

type Command = NonNullable<Issue['commands']>['test'];

function commandOf(command: Command, none: string): ReactNode {
  if (command === null) return none;
  return (
    <>
      <code>{visibleText(command.command)}</code>
      {command.source !== null && (
        <span className={styles.soft}> {command.source === 'settings' ? 'as set' : 'detected'}</span>
      )}
    </>
  );
}

/** How much time is left; the date is the title. */
function Deadline({ at }: { readonly at: string }) {
  const now = useNow();
  const date = new Date(at);
  const left = date.getTime() - now;
  return (
    <time dateTime={at} title={formatExact(date)}>
      {left <= 0
        ? 'the time is over: the issue is being cancelled'
        : `within ${formatDuration(left)}, or it is cancelled`}
    </time>
  );
}
