/** The keys of the cache that are written in more than one place. What refreshes a key refreshes all that begin with it. */
export const queryKeys = {
  /** All lists of issues. */
  inbox: ['inbox'],
  issues: ['issue'],
  /** An issue, and what is known of it that changes with its events. */
  issue: (id: string) => ['issue', id] as const,
  audit: ['audit'],
  budgets: ['budgets'],
  sessions: ['sessions'],
  secondFactors: ['second-factors'],
  tokens: ['tokens'],
  /** The API tokens that are limited to a repository. */
  repoTokens: (repoId: string) => ['tokens', repoId] as const,
  /** The notification targets, and their deliveries. */
  notifications: ['notifications'],
  members: (repoId: string) => ['members', repoId] as const,
  hostedRepos: ['hosted-repos'],
  hostedIssues: (repoId: string) => ['hosted-issues', repoId] as const,
} as const;
