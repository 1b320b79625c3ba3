import type { Clock } from '@sluice/core/async';
import type { NotificationSender, OutgoingNotification } from '@sluice/core/notification';
import { chatFormats, type Lines } from './chat-formats.ts';
import { type NotificationText, notificationText } from './notification-text.ts';
import { postWebhook, type WebhookRules } from './post-webhook.ts';
import { renderChat, renderLines } from './render-chat.ts';
import { createMailer, type Email, type SmtpSettings } from './smtp-mailer.ts';
import { signatureHeaders } from './webhook-signature.ts';

export interface SenderOptions extends WebhookRules {
  /** Null: no e-mail is sent. */
  readonly smtp: SmtpSettings | null;
  readonly clock: Clock;
  readonly userAgent: string;
}

/** Sends notifications: webhooks after Standard Webhooks, in the form that the target expects, and e-mails by SMTP. */
export function createNotificationSender(options: SenderOptions): NotificationSender {
  const { smtp, clock, userAgent } = options;
  const mailer = smtp === null ? null : createMailer(smtp);
  return {
    sendsEmail: mailer !== null,
    async send({ messageId, notification, userId, to }, signal) {
      if (to.channel === 'email') {
        if (mailer === null) throw new Error('An e-mail was to be sent without SMTP_URL.');
        const { address, unsubscribeUrl } = to;
        const text = notificationText(notification);
        return await mailer.send(notificationEmail({ messageId, to: address, text, unsubscribeUrl }), signal);
      }
      const { body, headers } = bodyOf(notification, to.format);
      const signed = signatureHeaders({ messageId, at: clock.now(), body, secrets: to.secrets });
      const all = { ...headers, 'user-agent': userAgent, ...signed };
      return await postWebhook(options, { userId, url: to.url, headers: all, body }, signal);
    },
    async close() {
      mailer?.close();
    },
  };
}

type WebhookFormat = Extract<OutgoingNotification['to'], { channel: 'webhook' }>['format'];

function bodyOf(notification: OutgoingNotification['notification'], format: WebhookFormat) {
  if (format !== 'standard') return renderChat(chatFormats[format], notificationText(notification));
  return { body: JSON.stringify(notification), headers: { 'content-type': 'application/json' } };
}

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
function notificationEmail({
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
