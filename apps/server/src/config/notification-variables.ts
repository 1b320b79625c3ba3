import { isAllowHostsEntry } from '@sluice/core/notification';
import * as z from 'zod';
import { commitAuthor, list, type ValuesOf, type Variable } from './variable.ts';

const smtpUrl = z.string().refine((value) => {
  const url = URL.canParse(value) ? new URL(value) : null;
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '';
}, 'is not smtp://USER:PASSWORD@HOST:PORT, or smtps://');

/** Webhooks and e-mails to users. */
export const notificationVariables = {
  NOTIFY_ALLOW_HOSTS: {
    meaning:
      'Hosts to which notifications may be sent although their addresses are not public, and by http. Names, *.example.com for subdomains, or addresses; ports 443 and 80 unless the entry names one. See docs/notifications.md.',
    default: '',
    unset: 'none',
    example: 'chat.example.com, 10.0.0.5:8065',
    schema: list.pipe(
      z.array(
        z.string().refine(isAllowHostsEntry, 'is not a list of host names or addresses, each with or without a port'),
      ),
    ),
  },
  SMTP_URL: {
    meaning:
      'Mail server for e-mails: notifications, and links for accounts; smtps:// for TLS from the start. Needs SMTP_FROM. See docs/notifications.md.',
    unset: 'no e-mail is sent',
    example: 'smtps://USER:PASSWORD@mail.example.com:465',
    schema: smtpUrl,
    secret: true,
  },
  SMTP_FROM: {
    meaning: 'Sender of the e-mails.',
    unset: 'none; required with SMTP_URL',
    example: 'Sluice <sluice@example.com>',
    schema: commitAuthor,
  },
} as const satisfies Record<string, Variable>;

type Values = ValuesOf<typeof notificationVariables>;

/** One of SMTP_URL and SMTP_FROM is of no use without the other. */
export function notificationProblems(given: (name: string) => string | null): string[] {
  const names = ['SMTP_URL', 'SMTP_FROM'] as const;
  const [missing, ...both] = names.filter((name) => given(name) === null);
  const other = names.find((name) => name !== missing);
  if (missing === undefined || both.length > 0) return [];
  return [`${missing}: is required with ${other}, e.g. ${missing}=${notificationVariables[missing].example}`];
}

export function notificationSettings({ NOTIFY_ALLOW_HOSTS, SMTP_URL, SMTP_FROM }: Values) {
  return {
    allowHosts: NOTIFY_ALLOW_HOSTS,
    smtp:
      SMTP_URL === null || SMTP_FROM === null
        ? null
        : { url: SMTP_URL, from: { name: SMTP_FROM.name, address: SMTP_FROM.email } },
  };
}
