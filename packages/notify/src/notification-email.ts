import type { Lines } from './chat-formats.ts';
import type { NotificationText } from './notification-text.ts';
import { renderLines } from './render-chat.ts';
import type { Email } from './smtp-mailer.ts';

const plain: Lines = {
  lines: ['{{headline}}', '{{title}} in {{repo}}', '{{detail}}', '{{url}}'],
  separator: '\n\n',
  escape: 'plain',
};
const html: Lines = {
  lines: [
    '<p><strong>{{headline}}</strong></p>',
    '<p>{{title}} in {{repo}}</p>',
    '<p>{{detail}}</p>',
    '<p><a href="{{url}}">Open in Sluice</a></p>',
  ],
  separator: '\n',
  escape: 'html',
};
const subject: Lines = { lines: ['{{headline}}', '{{title}}'], separator: ': ', escape: 'plain' };

/** The e-mail of a notification. */
export function notificationEmail({
  text,
  unsubscribeUrl,
  ...of
}: {
  readonly messageId: string;
  readonly to: string;
  readonly text: NotificationText;
  readonly unsubscribeUrl: string;
}): Email {
  const members = { ...text };
  return {
    ...of,
    subject: renderLines(subject, members),
    text: `${renderLines(plain, members)}\n\n--\nTurn these e-mails off: ${unsubscribeUrl}\n`,
    html: `${renderLines(html, members)}\n<p><small><a href="${unsubscribeUrl}">Turn these e-mails off</a></small></p>`,
    headers: {
      // One click: RFC 8058.
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  };
}
