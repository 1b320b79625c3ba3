import { dayBefore, type UserStore } from '@sluice/core/account';
import type { Clock } from '@sluice/core/async';
import type { ApiLog } from '../../service/api-deps.ts';

/** Counts failed logins in memory and writes the counts from time to time. */
export interface FailedLoginCounts {
  /** Takes the same time for every e-mail, and never fails. */
  note(email: string): void;
  /** Writes the counts since the last flush. Counts that cannot be written are dropped. */
  flush(): Promise<void>;
}

interface CountsContext {
  readonly users: Pick<UserStore, 'addFailedLogins'>;
  readonly clock: Clock;
  readonly log: Pick<ApiLog, 'warn'>;
}

const FLUSH_MS = 10_000; // one write for many failures; a crash loses ten seconds of counts
const MAX_EMAILS = 1_000; // e-mails between two writes; attackers choose them, and any more are not counted

/** The owner of an e-mail is looked up when counts are written: a login with an unknown e-mail costs the same. */
export function createFailedLoginCounts({ users, clock, log }: CountsContext): FailedLoginCounts {
  let counts = new Map<string, { readonly email: string; readonly day: string; count: number }>();
  let timer: NodeJS.Timeout | null = null;

  const flush = async () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (counts.size === 0) return;
    const counted = [...counts.values()];
    counts = new Map();
    try {
      await users.addFailedLogins(counted);
    } catch (error) {
      log.warn({ err: error, accounts: counted.length }, 'failed logins could not be counted');
    }
  };
  return {
    note: (email) => {
      const day = dayBefore(clock.now(), 0);
      const key = `${day} ${email}`;
      const known = counts.get(key);
      if (known !== undefined) known.count += 1;
      else if (counts.size < MAX_EMAILS) counts.set(key, { email, day, count: 1 });
      timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
    },
    flush,
  };
}
