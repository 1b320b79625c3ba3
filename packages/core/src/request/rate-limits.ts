/** The requests that a limit counts: every one, only those that failed, or only those that were accepted. */
type CountedRequests = 'all' | 'failures' | 'accepted';

/** How many requests are allowed within a window that begins with the first of them. */
export interface RateLimit {
  readonly points: number;
  readonly windowSeconds: number;
  readonly key: 'ip' | 'user' | 'token';
  /** The noun for the limited things, for people: one, and several. */
  readonly noun: readonly [one: string, many: string];
  /** Absent: all of them. */
  readonly counts?: CountedRequests;
}

/**
 * The default rate limits. Every request to a limited endpoint counts, whatever its response or transport. An operator may
 * change the figures and what some of them count.
 */
export const rateLimits = {
  login: { points: 5, windowSeconds: 60, key: 'ip', noun: ['login', 'logins'] },
  register: { points: 5, windowSeconds: 60, key: 'ip', noun: ['registration', 'registrations'] },
  // Each may send an e-mail to somebody. The links of one account have a limit of their own: `mostLinks`.
  reset_password: { points: 10, windowSeconds: 3_600, key: 'ip', noun: ['password reset', 'password resets'] },
  use_link: {
    points: 20,
    windowSeconds: 60,
    key: 'ip',
    noun: ['use of a link in an e-mail', 'uses of links in e-mails'],
  },
  // Prevents guessing the current password in an open browser.
  change_account: { points: 10, windowSeconds: 3_600, key: 'user', noun: ['account change', 'account changes'] },
  create_issue: { points: 10, windowSeconds: 3_600, key: 'user', noun: ['new issue', 'new issues'] },
  run_issue: { points: 30, windowSeconds: 3_600, key: 'user', noun: ['start of an issue', 'starts of issues'] },
  // Every later turn of an agent includes the note, at a cost. One a minute is enough for a conversation.
  send_message: { points: 60, windowSeconds: 3_600, key: 'user', noun: ['message', 'messages'] },
  import_issue: { points: 30, windowSeconds: 3_600, key: 'user', noun: ['imported issue', 'imported issues'] },
  start_codehost_login: {
    points: 20,
    windowSeconds: 60,
    key: 'ip',
    noun: ['sign-in at the code host', 'sign-ins at the code host'],
  },
  start_oidc_login: { points: 20, windowSeconds: 60, key: 'ip', noun: ['single sign-on', 'single sign-ons'] },
  create_repo: { points: 5, windowSeconds: 3_600, key: 'user', noun: ['new repository', 'new repositories'] },
  list_codehost_repos: {
    points: 30,
    windowSeconds: 60,
    key: 'user',
    noun: ['list of the code host’s repositories', 'lists of the code host’s repositories'],
  },
  // Each lets somebody in.
  invite: { points: 60, windowSeconds: 3_600, key: 'user', noun: ['invitation', 'invitations'] },
  // Each asks the code host with the account that registered the repository, whose quota all of its members share.
  list_codehost_issues: {
    points: 60,
    windowSeconds: 60,
    key: 'user',
    noun: ['list of the code host’s issues', 'lists of the code host’s issues'],
  },
  // Each picture begins a process of the sandbox.
  upload_attachment: { points: 60, windowSeconds: 3_600, key: 'user', noun: ['upload', 'uploads'] },
  // With an embedding model each costs a call of it.
  search_code: { points: 60, windowSeconds: 60, key: 'user', noun: ['search of code', 'searches of code'] },
  // Each reads the remote, and fetches new commits.
  compare_base: { points: 30, windowSeconds: 60, key: 'user', noun: ['check of a base', 'checks of bases'] },
  // Each test or replay makes the server send requests to an address of the user's choice: a replay up to a thousand.
  send_notifications: { points: 60, windowSeconds: 3_600, key: 'user', noun: ['test or replay', 'tests and replays'] },
  // All other mutations, except those that end sessions. Two a second for a minute leave room for clean-up scripts, and
  // bound the database writes of one account.
  mutation: { points: 120, windowSeconds: 60, key: 'user', noun: ['change', 'changes'] },
  // Beside the limits of its owner, and for reads too: a script in a loop must not slow the others down.
  api_token: { points: 600, windowSeconds: 60, key: 'token', noun: ['request', 'requests'] },
  failed_api_token: {
    points: 60,
    windowSeconds: 60,
    key: 'ip',
    noun: ['request with an invalid API token', 'requests with invalid API tokens'],
  },
} as const satisfies Record<string, RateLimit>;

export type RateLimitName = keyof typeof rateLimits;

/** The limits of an installation; null for one that is off. */
export type RateLimits = Readonly<Record<RateLimitName, RateLimit | null>>;

/** The limits whose requests may count only once they are accepted. */
export const creationLimits = ['create_issue', 'create_repo', 'import_issue'] as const satisfies RateLimitName[];

/** Says what is limited: `At most 5 logins a minute from one address are allowed.` */
export function describeLimit({ points, windowSeconds, key, noun, counts }: RateLimit): string {
  const what = `${counts === 'failures' ? 'failed ' : ''}${noun[points === 1 ? 0 : 1]}`;
  const whose = { ip: 'from one address', user: 'of one user', token: 'with one API token' }[key];
  return `At most ${points} ${what} ${windowText(windowSeconds)} ${whose} ${points === 1 ? 'is' : 'are'} allowed.`;
}

const UNITS = [
  ['a', 'day', 86_400],
  ['an', 'hour', 3_600],
  ['a', 'minute', 60],
  ['a', 'second', 1],
] as const;

function windowText(seconds: number): string {
  const [article, unit, size] = UNITS.find(([, , size]) => seconds % size === 0) ?? UNITS[3];
  return seconds === size ? `${article} ${unit}` : `in ${seconds / size} ${unit}s`;
}

export interface LimitVerdict {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Milliseconds until the window ends. */
  readonly resetMs: number;
  /** Takes an allowed request back out of its count; does nothing when its window is over. Call it once at most; never fails. */
  giveBack(): Promise<void>;
}

/** Counts requests. An adapter that cannot reach its store counts in memory, so that limits always hold. */
export interface Limiter {
  readonly limits: RateLimits;
  /** Counts a request. A limit that is off allows everything. */
  consume(name: RateLimitName, key: string): Promise<LimitVerdict>;
  /** Counts a failed login at an account, from any client. Refuses no request. */
  noteFailedLogin(account: string): Promise<void>;
  /** The failed logins at an account within the window. */
  failedLogins(account: string): Promise<number>;
  /** Rejects when the store is unreachable; for the readiness probe. */
  check(signal: AbortSignal): Promise<void>;
}

/** The window, from the first failed login, in which failures delay the next ones. */
export const FAILED_LOGIN_WINDOW_SECONDS = 900;

const FREE_FAILURES = 5; // people who try several of their own passwords are not slowed
const STEP_MS = 500;
const MAX_DELAY_MS = 4_000; // short enough for people, and limits guessing to one password in four seconds

/**
 * The delay before a login's password is checked, by the recent failures at the same e-mail. It never locks an account: a
 * lock would let anyone lock out any user.
 */
export function loginDelayMs(failures: number): number {
  return Math.min(MAX_DELAY_MS, Math.max(0, failures - FREE_FAILURES + 1) * STEP_MS);
}
