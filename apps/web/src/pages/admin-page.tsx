import { isSluiceError } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import styles from '../admin/admin.module.css';
import { ConfigurationSection } from '../admin/configuration-section.tsx';
import { NotOperator } from '../admin/not-operator.tsx';
import { type OperatorHint, operatorHints } from '../admin/operator-hints.ts';
import { type Overview, overviewQuery } from '../admin/overview-query.ts';
import { QueueSection } from '../admin/queue-section.tsx';
import { ReposSection } from '../admin/repos-section.tsx';
import { UsersSection } from '../admin/users-section.tsx';
import { WorkersSection } from '../admin/workers-section.tsx';
import { OperatorBudgetsSection } from '../budgets/budget-sections.tsx';
import { formatDuration } from '../format/duration.ts';
import { shortCommit } from '../format/short-commit.ts';
import { visibleText } from '../format/visible-text.ts';
import { ServerInvitationsSection } from '../invitations/invitation-sections.tsx';
import { profileQuery, serverQuery } from '../session/queries.ts';
import { Badge } from '../ui/badge.tsx';
import { buttonClass } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Loading } from '../ui/loading.tsx';
import { Notice } from '../ui/notice.tsx';
import { Page } from '../ui/page.tsx';
import rows from '../ui/rows.module.css';
import { Section } from '../ui/section.tsx';

export function AdminPage() {
  const profile = useQuery(profileQuery);
  const { data: overview, error, refetch } = useQuery(overviewQuery);
  if (isSluiceError(error, 'operator_required'))
    return (
      <Page title="Administration">
        <NotOperator email={profile.data?.email ?? null} />
      </Page>
    );
  return (
    <Page
      title="Administration"
      actions={
        overview !== undefined && (
          <>
            <Version overview={overview} />
            <Link to="/admin/audit" className={buttonClass()}>
              Audit log
            </Link>
          </>
        )
      }
    >
      {error !== null && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {overview === undefined && error === null && <Loading what="the state of the server" />}
      {overview !== undefined && <AdminSections overview={overview} userId={profile.data?.id} />}
    </Page>
  );
}

function AdminSections({ overview, userId }: { readonly overview: Overview; readonly userId: string | undefined }) {
  const { data } = useQuery(serverQuery);
  const details = data?.details ?? null;
  const traits = details === null ? null : { sandbox: details.sandbox, isBuiltin: details.models.implement.builtin };
  return (
    <>
      {traits !== null && <HintList hints={operatorHints(overview, traits)} />}
      <QueueSection overview={overview} userId={userId} />
      <OperatorBudgetsSection />
      <UsersSection userId={userId} />
      <ServerInvitationsSection isOff={details?.invitations === 'off'} />
      <ReposSection />
      <WorkersSection workers={overview.workers} slots={overview.slots} />
      <ReadinessSection readiness={overview.readiness} />
      <ConfigurationSection configuration={overview.configuration} />
    </>
  );
}

function Version({ overview: { version, commit } }: { readonly overview: Overview }) {
  return (
    <span>
      version {visibleText(version)}
      {commit !== null && (
        <>
          , commit <code title={visibleText(commit)}>{visibleText(shortCommit(commit))}</code>
        </>
      )}
    </span>
  );
}

/** What the operator should do something about. */
function HintList({ hints }: { readonly hints: readonly OperatorHint[] }) {
  return hints.map(({ tone, text }) => (
    <Notice key={text} tone={tone}>
      {text}
    </Notice>
  ));
}

const services = [
  ['database', 'Database'],
  ['cache', 'Cache'],
  ['vector_store', 'Vector store'],
] as const;

/** Whether the server reaches what it depends on, as its readiness probe says. */
function ReadinessSection({ readiness }: Pick<Overview, 'readiness'>) {
  return (
    <Section
      title="Readiness"
      id="readiness"
      actions={readiness.status === 'up' ? <Badge tone="good">ready</Badge> : <Badge tone="bad">not ready</Badge>}
    >
      <ul className={rows.rows}>
        {services.map(([key, name]) => {
          const { status, latency_ms: latency } = readiness.checks[key];
          return (
            <li key={key} className={rows.row}>
              <span className={rows.grow}>{name}</span>
              <span className={styles.soft}>{formatDuration(latency)}</span>
              <Badge tone={status === 'up' ? 'good' : 'bad'}>{status}</Badge>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
