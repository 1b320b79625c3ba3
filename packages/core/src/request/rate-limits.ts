/**
 * The rate limits, as data. Every request to a limited endpoint counts, whatever its answer and whichever transport
 * it came by.
 */
export const rateLimits = {
  login: { points: 5, windowSeconds: 60, key: 'ip' },
  register: { points: 5, windowSeconds: 60, key: 'ip' },
  // Its current password must not be guessed by whoever finds a browser open.
  change_account: { points: 10, windowSeconds: 3_600, key: 'user' },
  create_issue: { points: 10, windowSeconds: 3_600, key: 'user' },
  run_issue: { points: 30, windowSeconds: 3_600, key: 'user' },
  // A note is read into every later turn of an agent, which somebody pays for; one a minute is a conversation.
  send_message: { points: 60, windowSeconds: 3_600, key: 'user' },
  import_issue: { points: 30, windowSeconds: 3_600, key: 'user' },
  start_codehost_login: { points: 20, windowSeconds: 60, key: 'ip' },
  create_repo: { points: 5, windowSeconds: 3_600, key: 'user' },
  list_codehost_repos: { points: 30, windowSeconds: 60, key: 'user' },
  // Every mutation of a session that has no limit of its own and ends no session. Two a second for a whole minute leave
  // room for a script that cleans up, and bound what one account can make the database write.
  mutation: { points: 120, windowSeconds: 60, key: 'user' },
} as const satisfies Record<string, { points: number; windowSeconds: number; key: 'ip' | 'user' }>;

export type RateLimitName = keyof typeof rateLimits;
