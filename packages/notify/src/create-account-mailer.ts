import type { AccountMailer } from '@sluice/core/account';
import { accountEmail } from './account-email.ts';
import { createMailer, type SmtpSettings } from './smtp-mailer.ts';

/** Sends e-mails about accounts by SMTP. */
export function createAccountMailer(settings: SmtpSettings): AccountMailer {
  const mailer = createMailer(settings);
  return {
    async send(to, mail, signal) {
      const result = await mailer.send(accountEmail(to, mail), signal);
      if (result.kind === 'accepted') return { kind: 'accepted' };
      return { kind: 'refused', reason: result.reason, canRetry: result.retry === 'later' };
    },
    close: () => mailer.close(),
  };
}
