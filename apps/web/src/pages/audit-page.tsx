import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { AuditFilters } from '../admin/audit-filters.tsx';
import { AuditList } from '../admin/audit-list.tsx';
import { auditQuestion } from '../admin/audit-question.ts';
import { NotOperator } from '../admin/not-operator.tsx';
import { profileQuery } from '../session/queries.ts';
import { buttonClass } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { Section } from '../ui/section.tsx';

/** The audit log of the server. */
export function AuditPage() {
  const search = useSearch({ from: '/session/admin/audit' });
  const { data: profile } = useQuery(profileQuery);
  if (profile !== undefined && !profile.operator)
    return (
      <Page title="Audit log">
        <NotOperator email={profile.email} />
      </Page>
    );
  const question = new URLSearchParams({ ...auditQuestion(search) });
  return (
    <Page
      title="Audit log"
      actions={
        <>
          <Link to="/admin" className={buttonClass()}>
            Administration
          </Link>
          <a href={`/api/admin/audit?${question}`} download="audit.jsonl" className={buttonClass()}>
            Download as JSON lines
          </a>
        </>
      }
    >
      <Section
        title="Entries"
        about={
          <>
            Who did what on this server, newest first. Entries are never changed or removed. Whether somebody has done
            so in the database is checked on the server's machine, with a key that is not in it:{' '}
            <code>sluice admin audit --verify</code>
          </>
        }
      >
        <AuditFilters search={search} />
        <AuditList search={search} />
      </Section>
    </Page>
  );
}
