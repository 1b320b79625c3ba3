import { useQuery } from '@tanstack/react-query';
import { formatBytes } from '../format/bytes.ts';
import { visibleText } from '../format/visible-text.ts';
import { attachmentsQuery } from '../session/issue-queries.ts';
import styles from './issue-attachments.module.css';

/** The pictures and texts of an issue. Nothing where there are none. */
export function IssueAttachments({ issueId }: { readonly issueId: string }) {
  const items = useQuery(attachmentsQuery(issueId)).data ?? [];
  if (items.length === 0) return null;
  return (
    <section aria-label="Attachments" className={styles.attachments}>
      {items.map(({ id, name, bytes, width, height }) => (
        <figure key={id}>
          {width !== null && height !== null && (
            <a href={`/api/attachments/${id}`} target="_blank" rel="noreferrer">
              <img
                src={`/api/attachments/${id}`}
                alt={visibleText(name)}
                width={width}
                height={height}
                loading="lazy"
                decoding="async"
              />
            </a>
          )}
          <figcaption>
            <a href={`/api/attachments/${id}`} download={name}>
              <bdi>{visibleText(name)}</bdi>
            </a>{' '}
            {formatBytes(bytes)}
          </figcaption>
        </figure>
      ))}
    </section>
  );
}
