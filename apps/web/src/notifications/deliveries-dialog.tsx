import type { Delivery, NotificationTarget } from '@sluice/client';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { counted } from '../format/amounts.ts';
import { visibleText } from '../format/visible-text.ts';
import { client } from '../session/client.ts';
import { queryKeys } from '../session/query-keys.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { SelectField } from '../ui/field.tsx';
import { MoreButton } from '../ui/more-button.tsx';
import rows from '../ui/rows.module.css';
import { RelativeTime } from '../ui/time.tsx';
import { useTargetsChanged } from './notification-queries.ts';
import styles from './notifications.module.css';
import { kindWords, nameOfTarget } from './target-words.ts';

const REFRESH_MS = 2_000;
/** The time for which the server keeps deliveries. */
const KEPT_MS = 30 * 86_400_000;

const statuses: Readonly<Record<Delivery['status'], { readonly word: string; readonly tone: Tone }>> = {
  pending: { word: 'pending', tone: 'warn' },
  delivered: { word: 'delivered', tone: 'good' },
  given_up: { word: 'given up', tone: 'bad' },
};

interface DeliveriesDialogProps {
  readonly target: NotificationTarget;
  readonly onClose: () => void;
}

/** The deliveries to a target, with their outcomes. */
export function DeliveriesDialog({ target, onClose }: DeliveriesDialogProps) {
  const [status, setStatus] = useState<Delivery['status'] | ''>('');
  const changed = useTargetsChanged();
  const list = useInfiniteQuery({
    queryKey: [...queryKeys.notifications, target.id, status],
    queryFn: ({ pageParam, signal }) =>
      client.notifications.deliveries.query(
        { id: target.id, cursor: pageParam, ...(status === '' ? {} : { status }) },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor,
    refetchInterval: REFRESH_MS,
  });
  const replay = useMutation({
    mutationFn: (range: Omit<Parameters<typeof client.notifications.replay.mutate>[0], 'id'>) =>
      client.notifications.replay.mutate({ id: target.id, ...range }),
    onSettled: changed,
  });
  const deliveries = list.data?.pages.flatMap((page) => page.items) ?? [];
  const replayGivenUp = () => {
    const now = Date.now();
    const [from, to] = [now - KEPT_MS, now].map((time) => new Date(time).toISOString());
    replay.mutate({ from, to, only_given_up: true });
  };
  return (
    <Dialog title={`Deliveries to ${visibleText(nameOfTarget(target))}`} isOpen onClose={onClose} wide>
      <div className={styles.filter}>
        <SelectField
          label="Show"
          value={status}
          onChange={({ target: select }) => setStatus(select.value as Delivery['status'] | '')}
        >
          <option value="">all of the last 30 days</option>
          <option value="pending">pending</option>
          <option value="delivered">delivered</option>
          <option value="given_up">given up</option>
        </SelectField>
        {target.enabled && deliveries.some((one) => one.status === 'given_up') && (
          <Button busy={replay.isPending} onClick={replayGivenUp}>
            Send all again that were given up
          </Button>
        )}
      </div>
      <span role="status">
        {replay.isSuccess && `${counted(replay.data.replayed, 'delivery', 'deliveries')} will be sent again.`}
      </span>
      {replay.isError && <ErrorNotice error={replay.error} />}
      {list.isSuccess && deliveries.length === 0 && <p>There are none.</p>}
      {deliveries.length > 0 && (
        <ul className={rows.rows}>
          {deliveries.map((delivery) => (
            <DeliveryRow
              key={delivery.id}
              delivery={delivery}
              onReplay={target.enabled ? () => replay.mutate({ delivery_id: delivery.id }) : undefined}
            />
          ))}
        </ul>
      )}
      <MoreButton what="the deliveries" list={list} />
      <div className={styles.end}>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

interface DeliveryRowProps {
  readonly delivery: Delivery;
  readonly onReplay: (() => void) | undefined;
}

function DeliveryRow({ delivery, onReplay }: DeliveryRowProps) {
  const { notification, issue_id: issueId, status, attempts, last_error: why } = delivery;
  const { type, data } = notification;
  const what = type === 'test' ? 'A test' : sentenceStart(kindWords[type] ?? type);
  const title = typeof data.title === 'string' ? visibleText(data.title) : null;
  return (
    <li className={rows.row}>
      <span className={rows.grow}>
        {what} <Badge tone={statuses[status].tone}>{statuses[status].word}</Badge>
        {issueId !== null && (
          <span className={rows.line}>
            <Link to="/issues/$id" params={{ id: issueId }}>
              <bdi>{title ?? 'Its issue'}</bdi>
            </Link>
          </span>
        )}
        <span className={rows.line}>
          <RelativeTime at={delivery.created_at} />, {counted(attempts, 'attempt')}
          {delivery.last_status !== null && `, answered ${delivery.last_status}`}
          {delivery.latency_ms !== null && ` in ${delivery.latency_ms} ms`}
          {delivery.replay_of !== null && ', sent again'}
        </span>
        {why !== null && <span className={rows.line}>{visibleText(why)}</span>}
        {delivery.next_attempt_at !== null && attempts > 0 && (
          <span className={rows.line}>
            Next attempt <RelativeTime at={delivery.next_attempt_at} />
          </span>
        )}
      </span>
      {status !== 'pending' && onReplay !== undefined && (
        <Button aria-label={`Send again: ${title === null ? what : `${what}, ${title}`}`} onClick={onReplay}>
          Send again
        </Button>
      )}
    </li>
  );
}

function sentenceStart(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
