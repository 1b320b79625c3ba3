import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { client } from '../session/client.ts';
import { queryKeys } from '../session/query-keys.ts';
import { MoreButton } from '../ui/more-button.tsx';
import rows from '../ui/rows.module.css';
import { Section } from '../ui/section.tsx';
import { RelativeTime } from '../ui/time.tsx';
import { type AuditEntry, auditSentence } from './audit-sentence.ts';
import styles from './settings.module.css';

/** What the user did, and what operators did to their account. */
export function AuditSection() {
  const list = useInfiniteQuery({
    queryKey: queryKeys.audit,
    queryFn: ({ pageParam, signal }) => client.audit.list.query({ limit: 20, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor,
  });
  const entries = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Section
      title="Audit"
      id="audit"
      about="What you did, and what operators did to your account. Nobody can change it; it stays when what it is about is deleted."
    >
      {entries.length > 0 && (
        <ul className={rows.rows}>
          {entries.map((entry) => (
            <li key={`${entry.at} ${entry.action} ${entry.subject.id}`} className={rows.row}>
              <span className={rows.grow}>
                <span dir="auto">{auditSentence(entry)}</span> <Subject entry={entry} />
              </span>
              <span className={styles.soft}>
                <RelativeTime at={entry.at} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <MoreButton what="the audit log" list={list} />
    </Section>
  );
}

function Subject({ entry: { action, subject } }: { readonly entry: AuditEntry }) {
  if (action === 'issue.deleted' || action === 'repo.removed') return null;
  if (subject.kind === 'issue')
    return (
      <Link to="/issues/$id" params={{ id: subject.id }}>
        Open the issue
      </Link>
    );
  if (subject.kind === 'repo')
    return (
      <Link to="/repos/$id" params={{ id: subject.id }}>
        Open the repository
      </Link>
    );
  return null;
}
