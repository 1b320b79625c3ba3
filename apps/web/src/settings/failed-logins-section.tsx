import { useInfiniteQuery } from '@tanstack/react-query';
import { counted } from '../format/amounts.ts';
import { client } from '../session/client.ts';
import { MoreButton } from '../ui/more-button.tsx';
import rows from '../ui/rows.module.css';
import { Section } from '../ui/section.tsx';

const day = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' });

/** Attempts with the user's e-mail and a wrong password. */
export function FailedLoginsSection() {
  const list = useInfiniteQuery({
    queryKey: ['failed-logins'],
    queryFn: ({ pageParam, signal }) => client.auth.account.failedLogins.query({ cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor,
  });
  const days = list.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <Section
      title="Failed logins"
      id="failed-logins"
      about="Attempts with your e-mail and a wrong password in the last days (UTC). If they were not yours, choose a long password."
    >
      {list.data !== undefined && days.length === 0 && <p>There were none.</p>}
      {days.length > 0 && (
        <ul className={rows.rows}>
          {days.map((one) => (
            <li key={one.day} className={rows.row}>
              <time dateTime={one.day} className={rows.grow}>
                {day.format(new Date(one.day))}
              </time>
              <span>{counted(one.count, 'failed login')}</span>
            </li>
          ))}
        </ul>
      )}
      <MoreButton what="the failed logins" list={list} />
    </Section>
  );
}
