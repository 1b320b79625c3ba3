import type { NotificationTarget } from '@sluice/client';
import type { Tone } from '../ui/badge.tsx';

export type NotificationKind = NotificationTarget['events'][number];
export type NotificationFormat = NotificationTarget['format'];

/** The content of each kind, as the end of "Tell me when …". */
export const kindWords: Readonly<Record<NotificationKind, string>> = {
  'gate.opened': 'a plan awaits a decision',
  'question.asked': 'a plan asks a question',
  'publish_gate.opened': 'a change awaits a decision before it is published',
  'issue.failed': 'an issue failed',
  'issue.completed': 'an issue is completed',
  'change_request.opened': 'a pull request was opened',
  'change_request.merged': 'a pull request was merged',
  'change_request.closed': 'a pull request was closed without a merge',
  'budget.warning': 'the budget of an issue is nearly used up',
  'monthly_budget.warning': 'a monthly budget is nearly used up',
};
export const kinds = Object.keys(kindWords) as NotificationKind[];

/** The kinds that ask the user for something. */
export const needsYou: readonly NotificationKind[] = [
  'gate.opened',
  'question.asked',
  'publish_gate.opened',
  'issue.failed',
];

interface FormatWords {
  readonly name: string;
  /** The place that its URL comes from. */
  readonly hint: string;
}

export const formatWords: Readonly<Record<NotificationFormat, FormatWords>> = {
  standard: {
    name: 'Standard Webhooks (JSON)',
    hint: 'For a program of your own. Each delivery is signed with the secret that you are shown next.',
  },
  slack: { name: 'Slack', hint: 'The URL of an incoming webhook of a Slack app.' },
  mattermost: { name: 'Mattermost', hint: 'The URL of an incoming webhook of Mattermost.' },
  matrix: { name: 'Matrix', hint: 'The URL of a generic webhook of matrix-hookshot.' },
  discord: { name: 'Discord', hint: 'The URL of a webhook of a Discord channel.' },
  ntfy: { name: 'ntfy', hint: 'The URL of a topic, such as https://ntfy.sh/a-name-that-is-hard-to-guess.' },
};
export const formats = Object.keys(formatWords) as NotificationFormat[];

/** What a user calls a target. */
export function nameOfTarget(target: NotificationTarget): string {
  return target.description ?? (target.channel === 'email' ? 'E-mail' : urlInShort(target));
}

/** Who knows the URL of a chat can write to it, so a list shows its host alone. */
export function urlInShort({ url, format }: NotificationTarget): string {
  if (url === null) return 'The key of the URL is lost: set it again.';
  if (format === 'standard' || !URL.canParse(url)) return url;
  return `${new URL(url).origin}/…`;
}

export function stateOfTarget({ enabled, failing_since: since }: NotificationTarget): {
  readonly tone: Tone;
  readonly word: string;
} {
  if (!enabled) return { tone: 'bad', word: 'disabled' };
  return since === null ? { tone: 'good', word: 'works' } : { tone: 'warn', word: 'failing' };
}

/** The events of a target, in few words. */
export function eventsInShort(events: readonly NotificationKind[]): string {
  if (events.length === kinds.length) return 'all events';
  const isNeedsYou = events.length === needsYou.length && needsYou.every((kind) => events.includes(kind));
  if (isNeedsYou) return 'what asks you for something';
  const [only] = events;
  return events.length === 1 && only !== undefined ? `when ${kindWords[only]}` : `${events.length} kinds of events`;
}
