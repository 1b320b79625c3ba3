import { useQuery } from '@tanstack/react-query';
import { useSubscription } from '@trpc/tanstack-react-query';
import { logOutWhenExpired, queryClient, sluice } from './sluice.ts';

export function IssueList({ onOpen }: { onOpen: (id: string) => void }) {
  const issues = useQuery(sluice.issues.list.queryOptions({ limit: 50 }));
  // One stream tells of the changes of all issues.
  useSubscription(
    sluice.events.watch.subscriptionOptions(undefined, {
      onData: ({ data: event }) => {
        if (event.type === 'issue.created' || event.type === 'issue.status')
          void queryClient.invalidateQueries(sluice.issues.list.queryFilter());
      },
      onError: logOutWhenExpired,
    }),
  );
  if (issues.isPending) return <p>Loading…</p>;
  if (issues.isError) return <p role="alert">{issues.error.message}</p>;
  return (
    <ul>
      {issues.data.items.map(({ id, title, status }) => (
        <li key={id}>
          <button type="button" onClick={() => onOpen(id)}>
            {title}
          </button>{' '}
          {status}
        </li>
      ))}
    </ul>
  );
}
