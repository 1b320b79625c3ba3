import { setTimeout as sleep } from 'node:timers/promises';
import type { AccountMail, AccountMailer } from '@sluice/core/account';
import { createSemaphore } from '@sluice/core/async';
import type { ApiLog } from '../../service/api-deps.ts';

/** The work on accounts beside the requests: above all the e-mails to their users. */
export interface AccountMails {
  /** Whether e-mails can be sent at all. */
  readonly areSent: boolean;
  /** Does the work after the answer, which so says nothing of it. What fails is logged. */
  later(work: (signal: AbortSignal) => Promise<void>): void;
  /** Sends an e-mail after the answer, and tries a few times. */
  send(to: string, mail: AccountMail): void;
  /** Waits a moment for what is under way. What does not end by then is given up: the users can ask again. */
  settle(): Promise<void>;
}

const MAX_WAITING = 1_000; // more is an attack; what it asks for is not worth the memory
const AT_ONCE = 4;
/** The answer leaves first: the work may hold up the process for a millisecond, which would tell whether there is an account. */
const AFTER_MS = 50;
const ATTEMPT_MS = 15_000;
const PAUSES_MS = [0, 1_000, 20_000]; // people wait for these; after half a minute they ask again
const SETTLE_MS = 3_000;

/**
 * E-mails about accounts. They hold secrets of which the database keeps only hashes, so they wait in memory alone: a process
 * that dies loses them.
 *
 * @param mailer null where no SMTP server is configured
 */
export function createAccountMails({
  accountMailer: mailer,
  log,
}: {
  readonly accountMailer: AccountMailer | null;
  readonly log: Pick<ApiLog, 'warn' | 'error'>;
}): AccountMails {
  const turns = createSemaphore(AT_ONCE);
  const running = new Set<Promise<void>>();
  const ending = new AbortController();
  const { signal } = ending;

  const later: AccountMails['later'] = (work) => {
    if (running.size >= MAX_WAITING) {
      log.warn({ waiting: running.size }, 'too many e-mails about accounts wait; one is not sent');
      return;
    }
    const doing = sleep(AFTER_MS)
      .then(() => turns.run(() => work(signal)))
      .catch((error: unknown) => {
        if (!signal.aborted) log.error({ err: error }, 'an e-mail about an account could not be prepared');
      })
      .finally(() => running.delete(doing));
    running.add(doing);
  };

  const deliver = async (to: string, mail: AccountMail): Promise<void> => {
    if (mailer === null) return;
    for (const pause of PAUSES_MS) {
      await sleep(pause, undefined, { signal });
      const result = await mailer.send(to, mail, AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)])).then(
        (outcome) => outcome,
        (error: unknown) => {
          if (signal.aborted) throw error;
          return { kind: 'refused', reason: 'The mail server did not answer in time.', canRetry: true } as const;
        },
      );
      if (result.kind === 'accepted') return;
      log.warn({ kind: mail.kind, reason: result.reason }, 'an e-mail about an account was not taken');
      if (!result.canRetry) return;
    }
  };

  return {
    areSent: mailer !== null,
    later,
    send: (to, mail) => {
      if (mailer !== null) later(() => deliver(to, mail));
    },
    settle: async () => {
      const timer = setTimeout(() => ending.abort(new Error('The server stops.')), SETTLE_MS);
      while (running.size > 0) await Promise.all(running);
      clearTimeout(timer);
    },
  };
}
