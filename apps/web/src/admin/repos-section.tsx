import { useInfiniteQuery } from '@tanstack/react-query';
import { counted } from '../format/amounts.ts';
import { visibleText } from '../format/visible-text.ts';
import { client } from '../session/client.ts';
import { Badge } from '../ui/badge.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import rows from '../ui/rows.module.css';
import { Section } from '../ui/section.tsx';
import { RelativeTime } from '../ui/time.tsx';

const PAGE = 50;

/** The registered repositories of all users. */
export function ReposSection() {
  const list = useInfiniteQuery({
    queryKey: ['all-repos'],
    queryFn: ({ pageParam, signal }) => client.admin.repos.query({ limit: PAGE, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor,
  });
  const repos = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Section
      title="Repositories"
      id="repositories"
      about="What all users have registered. Only members see its settings and issues."
    >
      {list.isSuccess && repos.length === 0 && <p>No repository is registered.</p>}
      {repos.length > 0 && (
        <ul className={rows.rows} aria-label="Repositories">
          {repos.map(({ id, name, registrant, members, last_activity_at, created_at }) => (
            <li key={id} className={rows.row}>
              <span className={rows.grow}>
                <bdi className={rows.strong}>{visibleText(name)}</bdi>{' '}
                {registrant.disabled && (
                  <Badge tone="warn" title="Sluice reaches it with their account, so it takes no new issues.">
                    registrant disabled
                  </Badge>
                )}
                <span className={rows.line}>
                  Registered <RelativeTime at={created_at} /> by{' '}
                  <bdi>
                    {visibleText(registrant.email ?? registrant.codehost_login ?? registrant.name ?? registrant.id)}
                  </bdi>
                  . {counted(members, 'member')}. Last activity <RelativeTime at={last_activity_at} />.
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
      <MoreButton what="the repositories" list={list} />
    </Section>
  );
}
