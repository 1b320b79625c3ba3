import type { WatchedEvent } from '@sluice/client';
import { useQuery } from '@tanstack/react-query';
import { useSubscription } from '@trpc/tanstack-react-query';
import { useState } from 'react';
import { Gate } from './gate.tsx';
import { logOutWhenExpired, queryClient, sluice } from './sluice.ts';

export function IssuePage({ id, onClose }: { id: string; onClose: () => void }) {
  const issue = useQuery(sluice.issues.get.queryOptions({ id }));
  const [lines, setLines] = useState<ReadonlyMap<number, string>>(new Map());
  // The history comes first, then what happens. After a lost connection it goes on behind the last event; where React
  // subscribes again, the history comes once more.
  useSubscription(
    sluice.issues.events.subscriptionOptions(
      { id },
      {
        onData: ({ data: event }) => {
          const line = lineOf(event);
          if (line !== null && 'seq' in event) setLines((before) => new Map(before).set(event.seq, line));
          if (event.type === 'issue.status') void queryClient.invalidateQueries(sluice.issues.get.queryFilter({ id }));
        },
        onError: logOutWhenExpired,
      },
    ),
  );
  if (issue.isPending) return <p>Loading…</p>;
  if (issue.isError) return <p role="alert">{issue.error.message}</p>;
  return (
    <article>
      <button type="button" onClick={onClose}>
        All issues
      </button>
      <h1>{issue.data.title}</h1>
      <p role="status">{issue.data.status}</p>
      <ol>
        {[...lines].map(([seq, line]) => (
          <li key={seq}>{line}</li>
        ))}
      </ol>
      {issue.data.gate !== null && <Gate issue={issue.data} gate={issue.data.gate} />}
      {issue.data.error !== null && <p role="alert">{issue.data.error.detail}</p>}
      {(issue.data.gate?.kind === 'publish' || issue.data.result !== null) && <Diff id={id} />}
      {issue.data.result?.answer != null && <pre>{issue.data.result.answer}</pre>}
    </article>
  );
}

/** The union of the events is told apart by `type`; `null` leaves out what this page does not show. */
function lineOf(event: WatchedEvent): string | null {
  switch (event.type) {
    case 'stage.started':
      return `${event.data.stage} …`;
    case 'stage.failed':
      return `${event.data.stage} failed: ${event.data.detail}`;
    case 'command.finished':
      return `${event.data.command} ended with ${event.data.exit_code}`;
    case 'agent.message':
      return `${event.data.agent}: ${event.data.text}`;
    default:
      return null;
  }
}

function Diff({ id }: { id: string }) {
  const diff = useQuery(sluice.issues.diff.queryOptions({ id }));
  return <pre>{diff.data?.diff}</pre>;
}
