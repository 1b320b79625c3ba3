import type { Delivery, NotificationTarget } from '@sluice/client';
import { plainLine } from '../terminal/plain-text.ts';
import type { Style } from '../terminal/style.ts';
import { renderColumns, type Sheet } from './render-columns.ts';
import { renderTable } from './render-table.ts';
import { renderRelative } from './render-time.ts';
import { shortId } from './short-id.ts';

/** What a person calls a target. */
export function nameOfTarget({ channel, description, url, format }: NotificationTarget): string {
  if (description !== null) return plainLine(description);
  if (channel === 'email') return 'your e-mail address';
  if (url === null) return LOST_URL;
  // Who knows the URL of a chat can write to it: a list shows its host alone.
  return plainLine(format === 'standard' || !URL.canParse(url) ? url : `${new URL(url).origin}/…`);
}

const LOST_URL = '(a URL whose key is lost: set it again)';

function stateOf({ enabled, failing_since: since }: NotificationTarget): 'works' | 'fails' | 'disabled' {
  if (!enabled) return 'disabled';
  return since === null ? 'works' : 'fails';
}

const stateColours = { works: 'green', fails: 'yellow', disabled: 'red' } as const;

/** Renders one target a line. */
export function renderTargets(targets: readonly NotificationTarget[], sheet: Sheet): string {
  if (targets.length === 0) return sheet.page.isTerminal ? 'No notifications.' : '';
  return renderColumns(
    targets,
    [
      { title: 'ID', cell: ({ id }) => shortId(id) },
      { title: 'STATE', cell: stateOf, colour: (target) => stateColours[stateOf(target)] },
      { title: 'FORMAT', cell: ({ channel, format }) => (channel === 'email' ? 'email' : format) },
      { title: 'TO', cell: nameOfTarget, colour: () => 'bold', narrow: 'shorten' },
      { title: 'EVENTS', cell: ({ events }) => events.join(' '), colour: () => 'dim', narrow: 'shorten' },
    ],
    sheet,
  );
}

export function renderTarget(target: NotificationTarget, style: Style): string {
  const { channel, url, format, description, events, repo_id: repoId } = target;
  const state = stateOf(target);
  return renderTable([
    ['Target', target.id],
    ...(description === null ? [] : [['Description', plainLine(description)]]),
    ['To', channel === 'email' ? 'your e-mail address' : plainLine(url ?? LOST_URL)],
    ...(channel === 'email' ? [] : [['Format', format]]),
    ['Events', events.join(' ')],
    ['Repository', repoId ?? 'all'],
    ['State', style(stateColours[state], whatItDoes(target))],
  ]);
}

function whatItDoes(target: NotificationTarget): string {
  if (target.disabled_at !== null) return `disabled ${target.disabled_at}: ${plainLine(target.disabled_reason ?? '')}`;
  return target.failing_since === null ? 'works' : `fails since ${target.failing_since}`;
}

/** Renders one delivery a line. */
export function renderDeliveries(deliveries: readonly Delivery[], sheet: Sheet): string {
  if (deliveries.length === 0) return sheet.page.isTerminal ? 'No deliveries.' : '';
  const now = new Date();
  return renderColumns(
    deliveries,
    [
      { title: 'ID', cell: ({ id }) => shortId(id), plain: ({ id }) => id },
      { title: 'EVENT', cell: ({ notification }) => notification.type },
      {
        title: 'ISSUE',
        cell: ({ issue_id: id }) => (id === null ? '' : shortId(id)),
        plain: (one) => one.issue_id ?? '',
      },
      { title: 'STATUS', cell: ({ status }) => status, colour: ({ status }) => statusColours[status] },
      { title: 'TRIES', cell: ({ attempts }) => String(attempts) },
      { title: 'ANSWER', cell: ({ last_status: status }) => (status === null ? '' : String(status)) },
      { title: 'TOOK', cell: ({ latency_ms: ms }) => (ms === null ? '' : `${ms} ms`) },
      { title: 'WHEN', cell: (one) => renderRelative(one.created_at, now), plain: (one) => one.created_at },
      { title: 'REASON', cell: ({ last_error: why }) => plainLine(why ?? ''), colour: () => 'dim', narrow: 'shorten' },
    ],
    sheet,
  );
}

const statusColours = { pending: 'yellow', delivered: 'green', given_up: 'red' } as const;

/** The outcome of a delivery so far, as a sentence. */
export function renderOutcome(delivery: Delivery): string {
  const { status, last_error: why, latency_ms: ms, next_attempt_at: next } = delivery;
  if (status === 'delivered') return `Delivered in ${ms} ms.`;
  if (why === null) return 'The test was not sent yet. Its result will be in the list of deliveries.';
  if (status === 'given_up') return `The test was given up: ${plainLine(why)}`;
  return `The test failed: ${plainLine(why)}${next === null ? '' : ` The next attempt is at ${next}.`}`;
}
