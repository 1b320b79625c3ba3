import type { Delivery, NotificationTarget } from '@sluice/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { visibleText } from '../format/visible-text.ts';
import { client } from '../session/client.ts';
import { reposQuery } from '../session/queries.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Notice } from '../ui/notice.tsx';
import rows from '../ui/rows.module.css';
import { RelativeTime } from '../ui/time.tsx';
import { DeliveriesDialog } from './deliveries-dialog.tsx';
import { testTarget, useTargetsChanged } from './notification-queries.ts';
import styles from './notifications.module.css';
import { TargetDialog } from './target-dialog.tsx';
import { eventsInShort, formatWords, nameOfTarget, stateOfTarget, urlInShort } from './target-words.ts';

type Opened = 'edit' | 'deliveries' | 'removal';

/** A target with its state, and what can be done with it. */
export function TargetRow({ target }: { readonly target: NotificationTarget }) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const changed = useTargetsChanged();
  const test = useMutation({ mutationFn: () => testTarget(target), onSettled: changed });
  const enable = useMutation({
    mutationFn: () => client.notifications.update.mutate({ id: target.id, enabled: true }),
    onSettled: changed,
  });
  const name = visibleText(nameOfTarget(target));
  const state = stateOfTarget(target);
  const close = () => {
    setOpened(null);
    void changed(); // what was delivered meanwhile may have changed its state
  };
  return (
    <li className={rows.row}>
      <span className={rows.grow}>
        <span className={styles.name}>
          <bdi>{name}</bdi>
        </span>{' '}
        <Badge tone={state.tone}>{state.word}</Badge>
        <Facts target={target} />
      </span>
      {target.enabled ? (
        <Button busy={test.isPending} aria-label={`Test ${name}`} onClick={() => test.mutate()}>
          Test
        </Button>
      ) : (
        <Button busy={enable.isPending} aria-label={`Enable ${name}`} onClick={() => enable.mutate()}>
          Enable
        </Button>
      )}
      <Button
        aria-label={`Deliveries to ${name}`}
        onClick={() => {
          test.reset(); // the deliveries say more, and newer
          setOpened('deliveries');
        }}
      >
        Deliveries
      </Button>
      <Button aria-label={`Edit ${name}`} onClick={() => setOpened('edit')}>
        Edit…
      </Button>
      <Button tone="danger" aria-label={`Remove ${name}`} onClick={() => setOpened('removal')}>
        Remove…
      </Button>
      <span role="status" className={styles.outcome}>
        {test.isPending && 'Testing…'}
        {test.isSuccess && <Outcome delivery={test.data} />}
      </span>
      {test.isError && <ErrorNotice error={test.error} />}
      {enable.isError && <ErrorNotice error={enable.error} />}
      {opened === 'edit' && <TargetDialog target={target} onClose={close} />}
      {opened === 'deliveries' && <DeliveriesDialog target={target} onClose={close} />}
      <Removal target={target} name={name} isOpen={opened === 'removal'} onClose={close} />
    </li>
  );
}

function Facts({ target }: { readonly target: NotificationTarget }) {
  const { channel, description, format, events, repo_id: repoId } = target;
  const { data: repos } = useQuery(reposQuery);
  const repo = repoId === null ? null : (repos?.find(({ id }) => id === repoId)?.name ?? 'one repository');
  const parts = [
    ...(channel === 'email' ? [] : [formatWords[format]?.name ?? format]),
    eventsInShort(events),
    repo === null ? 'of all repositories' : `of ${visibleText(repo)}`,
  ];
  return (
    <>
      <span className={rows.line}>{parts.join(', ')}</span>
      {channel === 'webhook' && description !== null && (
        <span className={`${rows.line} ${styles.url}`}>{visibleText(urlInShort(target))}</span>
      )}
      {target.disabled_at !== null ? (
        <span className={rows.line}>
          Disabled <RelativeTime at={target.disabled_at} />: {visibleText(target.disabled_reason ?? '')}
        </span>
      ) : (
        target.failing_since !== null && (
          <span className={rows.line}>
            It began to fail <RelativeTime at={target.failing_since} />. After a week of failures it is disabled.
          </span>
        )
      )}
    </>
  );
}

/** The outcome of a test delivery. */
function Outcome({ delivery: { status, last_error: why, latency_ms: ms } }: { readonly delivery: Delivery }) {
  if (status === 'delivered') return <Notice tone="good">The test was delivered in {ms} ms.</Notice>;
  if (why === null) return <Notice tone="info">The test is not sent yet. Its result will be in the deliveries.</Notice>;
  return (
    <Notice tone="warn">
      The test failed: {visibleText(why)}
      {status === 'pending' && ' It is tried again.'}
    </Notice>
  );
}

interface RemovalProps {
  readonly target: NotificationTarget;
  readonly name: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function Removal({ target, name, isOpen, onClose }: RemovalProps) {
  const changed = useTargetsChanged();
  const remove = useMutation({
    mutationFn: () => client.notifications.delete.mutate({ id: target.id }),
    onSuccess: () => {
      onClose();
      void changed();
    },
  });
  return (
    <ConfirmDialog
      title="Remove this notification target?"
      isOpen={isOpen}
      onClose={() => {
        onClose();
        remove.reset();
      }}
      confirm="Remove it"
      tone="danger"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
    >
      <p>
        Nothing is sent to{' '}
        <strong>
          <bdi>{name}</bdi>
        </strong>{' '}
        any more, also what is pending. The list of its deliveries goes with it.
      </p>
    </ConfirmDialog>
  );
}
