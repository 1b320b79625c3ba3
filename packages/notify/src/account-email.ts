import { randomUUID } from 'node:crypto';
import type { AccountMail } from '@sluice/core/account';
import type { Lines } from './chat-formats.ts';
import { renderLines } from './render-chat.ts';
import type { Email } from './smtp-mailer.ts';

interface Words {
  readonly subject: string;
  /** Paragraphs, with placeholders for the members of the e-mail. */
  readonly paragraphs: readonly string[];
  /** What the link does. */
  readonly link: string;
}

/** The text of each e-mail about an account. */
const words: Readonly<Record<AccountMail['kind'], Words>> = {
  password_reset: {
    subject: 'Reset your password',
    paragraphs: [
      'Somebody asked to reset the password of your account at Sluice. The link works once, for {{minutes}} minutes.',
      'If that was not you, there is nothing to do: your password stays as it is.',
    ],
    link: 'Choose a new password',
  },
  password_changed: {
    subject: 'Your password was changed',
    paragraphs: [
      'The password of your account at Sluice was changed.',
      'If that was not you, reset it at once from the login page, or ask the operator of the server.',
    ],
    link: 'Open your settings',
  },
  email_verification: {
    subject: 'Verify your e-mail address',
    paragraphs: [
      'An account at Sluice has this e-mail address. The link verifies that it is yours. It works once, for {{hours}} hours.',
      'If you have no account there, do not open the link: somebody has entered your address by mistake.',
    ],
    link: 'Verify the address',
  },
  email_changed: {
    subject: 'Your e-mail address was changed',
    paragraphs: [
      'Your account at Sluice has another e-mail address now. You log in with that one, and this one gets no more e-mails.',
      'If that was not you, ask the operator of the server at once.',
    ],
    link: 'Open your settings',
  },
  account_deleted: {
    subject: 'Your account was deleted',
    paragraphs: [
      'Your account at Sluice was deleted, with its sessions, tokens and ways to log in. You get no more e-mails from there.',
      'If that was not you, ask the operator of the server at once.',
    ],
    link: 'Open Sluice',
  },
  invitation: {
    subject: 'You are invited to Sluice',
    paragraphs: [
      '{{inviter}} invites you to {{place}}. The link makes your account there. It works once, for {{days}} days.',
      'If you do not know them, there is nothing to do.',
    ],
    link: 'Create your account',
  },
};

/** The e-mail about an account. */
export function accountEmail(to: string, { kind, ...mail }: AccountMail): Email {
  const { subject, paragraphs, link } = words[kind];
  const members = Object.fromEntries(Object.entries({ ...mail, link }).map(([name, value]) => [name, String(value)]));
  const plain: Lines = { lines: [...paragraphs, '{{link}}: {{url}}'], separator: '\n\n', escape: 'plain' };
  const html: Lines = {
    lines: [...paragraphs, '<a href="{{url}}">{{link}}</a>'].map((line) => `<p>${line}</p>`),
    separator: '\n',
    escape: 'html',
  };
  return {
    messageId: `account_${randomUUID()}`,
    to,
    subject,
    text: `${renderLines(plain, members)}\n`,
    html: renderLines(html, members),
    headers: {},
  };
}
