import { useInfiniteQuery } from '@tanstack/react-query';
import { client } from '../session/client.ts';
import type { AuditSearch } from '../session/search-params.ts';
import { MoreButton } from '../ui/more-button.tsx';
import rows from '../ui/rows.module.css';
import { RelativeTime } from '../ui/time.tsx';
import styles from './admin.module.css';
import { auditQuestion } from './audit-question.ts';
import { actingUser, type OperatorAuditEntry, operatorAuditSentence } from './operator-audit-sentence.ts';
import { UserName } from './user-name.tsx';

const PAGE = 50;

/** The entries of the audit log of the server that match, newest first. */
export function AuditList({ search }: { readonly search: AuditSearch }) {
  const question = auditQuestion(search);
  const list = useInfiniteQuery({
    queryKey: ['audit-of-all', question],
    queryFn: ({ pageParam, signal }) =>
      client.admin.audit.query({ limit: PAGE, cursor: pageParam, ...question }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor,
  });
  const entries = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      {list.isSuccess && entries.length === 0 && <p>No entry matches.</p>}
      {entries.length > 0 && (
        <ul className={rows.rows} aria-label="Audit log">
          {entries.map((entry) => (
            <AuditRow key={entry.ordinal} entry={entry} />
          ))}
        </ul>
      )}
      <MoreButton what="the audit log" list={list} />
    </>
  );
}

function AuditRow({ entry }: { readonly entry: OperatorAuditEntry }) {
  const who = actingUser(entry);
  const { user_id, subject, repo_id, token_id, action } = entry;
  const about = [
    ...(subject.id !== null && subject.id !== user_id ? [`${subject.kind} ${subject.id}`] : []),
    ...(repo_id !== null && repo_id !== subject.id ? [`repository ${repo_id}`] : []),
    ...(token_id === null ? [] : [`by the API token ${token_id}`]),
  ];
  return (
    <li className={rows.row}>
      <span className={rows.grow}>
        <span className={rows.strong}>{typeof who === 'string' ? who : <UserName id={who.id} />}</span>{' '}
        <span dir="auto">{operatorAuditSentence(entry)}</span>
        <span className={rows.line}>
          <code>{action}</code>
          {user_id !== null && (typeof who === 'string' || who.id !== user_id) && (
            <>
              , account <UserName id={user_id} />
            </>
          )}
          {about.map((text) => `, ${text}`).join('')}
        </span>
      </span>
      <span className={styles.soft}>
        <RelativeTime at={entry.at} />
      </span>
    </li>
  );
}
