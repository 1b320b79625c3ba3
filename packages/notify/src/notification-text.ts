import type { Notification } from '@sluice/core/notification';
import { neutralPlain, visibleLine } from '@sluice/core/text';

const headlines: Readonly<Record<Notification['type'], string>> = {
  'gate.opened': 'A plan awaits your decision',
  'question.asked': 'A question awaits your answer',
  'publish_gate.opened': 'A change awaits your decision before it is published',
  'issue.failed': 'An issue failed',
  'issue.completed': 'An issue is completed',
  'change_request.opened': 'A pull request was opened',
  'change_request.merged': 'A pull request was merged',
  'change_request.closed': 'A pull request was closed without a merge',
  'budget.warning': 'The budget of an issue is nearly used up',
  'monthly_budget.warning': 'A monthly budget is nearly used up',
  test: 'A test of the notifications of Sluice',
};

/** The lines of a notification for a person. A member without a text is empty. */
export interface NotificationText {
  /** One of ours. */
  readonly headline: string;
  /** Text by others, without the power to mention anybody or to become a link. Not yet escaped for any markup. */
  readonly title: string;
  readonly repo: string;
  readonly detail: string;
  /** The page in the console. */
  readonly url: string;
}

/** The text of a notification for people. */
export function notificationText(notification: Notification): NotificationText {
  const { type, data } = notification;
  const [title, repo] = namesIn(notification);
  return {
    headline: headlines[type],
    title: harmless(title),
    repo: harmless(repo),
    detail: harmless(detailOf(notification)),
    url: data.url,
  };
}

function namesIn(notification: Notification): readonly [title: string, repo: string] {
  switch (notification.type) {
    case 'test':
      return ['', ''];
    case 'monthly_budget.warning':
      return ['', notification.data.budget.repo?.name ?? ''];
    default:
      return [notification.data.title, notification.data.repo.name];
  }
}

function detailOf({ type, data }: Notification): string {
  switch (type) {
    case 'gate.opened':
    case 'question.asked':
      return approvalsOf(data);
    case 'publish_gate.opened':
      return [approvalsOf(data), data.reason ?? ''].filter((part) => part !== '').join('. ');
    case 'issue.failed':
      return data.error.message;
    case 'budget.warning':
    case 'monthly_budget.warning':
      return data.budget.detail;
    case 'change_request.opened':
    case 'change_request.merged':
    case 'change_request.closed':
      return `Pull request ${data.change_request.number}`;
    default:
      return '';
  }
}

/** The count of approvals, where one of several is there. Messages of the release before do not have it. */
function approvalsOf({
  approvals = 0,
  approvals_needed,
}: {
  approvals?: number | undefined;
  approvals_needed?: number | undefined;
}): string {
  return approvals === 0 ? '' : `${approvals} of ${approvals_needed} approvals`;
}

/** One line that mentions nobody and holds no link, whatever finds them: programs look after they have read the markup. */
function harmless(text: string): string {
  return neutralPlain(visibleLine(text))
    .replaceAll(/@(?=\S)/g, '@ ')
    .replaceAll('://', ': //')
    .replaceAll(/\bwww\./gi, 'www .');
}
