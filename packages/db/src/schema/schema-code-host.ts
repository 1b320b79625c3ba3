import type { BuildNews, ChangedSubject, ChangeRequestState, CloseReason } from '@sluice/core/code-host';
import type { UserId } from '@sluice/core/id';
import type { BuildEnd, ChangeRequestRecord } from '@sluice/core/outcome';
import { sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Kit } from './kit.ts';
import { userIdColumn } from './schema-accounts.ts';
import { issueIdColumn } from './schema-issues.ts';
import { repoIdColumn } from './schema-repos.ts';

/** The tables of the code host. */
export function makeCodeHostTables(kit: Kit, { users, repos }: { users: { id: PgColumn }; repos: { id: PgColumn } }) {
  /**
   * Separate from the user, so that no read of a user includes a token. After an unlink the row stays without its
   * token: its version was raised, so a refresh that is still under way fails.
   */
  const codehostGrants = kit.table(
    'codehost_grants',
    {
      userId: userIdColumn(kit, users).primaryKey(),
      tokenEncrypted: kit.text('codehost_token_encrypted'),
      tokenNonce: kit.text('codehost_token_nonce'),
      expiresAt: kit.instant('expires_at'),
      version: kit.int('version').notNull(),
      refused: kit.bool('refused').notNull(),
      updatedAt: kit.instant('updated_at').notNull(),
    },
    () => [
      kit.check(
        'codehost_grants_token_whole',
        sql.raw('(codehost_token_encrypted is null) = (codehost_token_nonce is null)'),
      ),
    ],
  );

  /** The code host of the accounts, grants and registrations: one row, or none before one is configured. */
  const codehostSites = kit.table(
    'codehost_sites',
    {
      id: kit.int('id').primaryKey(),
      /** The origin in the addresses of what is there: scheme, host, port. */
      origin: kit.text('origin').notNull(),
      since: kit.instant('since').notNull(),
    },
    () => [kit.check('codehost_sites_one', sql.raw('id = 1'))],
  );

  const codehostFlows = kit.table(
    'codehost_flows',
    { nonce: kit.text('nonce').primaryKey(), expiresAt: kit.instant('expires_at').notNull() },
    (t) => [kit.index('codehost_flows_end').on(t.expiresAt)],
  );

  const loginGrants = kit.table(
    'login_grants',
    {
      grantHash: kit.text('grant_hash').primaryKey(),
      challenge: kit.text('challenge').notNull(),
      userId: userIdColumn(kit, users).notNull(),
      /** The same as in sessions. */
      oidcIssuer: kit.text('oidc_issuer'),
      oidcSid: kit.text('oidc_sid'),
      expiresAt: kit.instant('expires_at').notNull(),
    },
    (t) => [kit.index('login_grants_end').on(t.expiresAt), kit.index('login_grants_user').on(t.userId)],
  );

  const codehostDeliveries = kit.table(
    'codehost_deliveries',
    { id: kit.text('id').primaryKey(), at: kit.instant('at').notNull() },
    (t) => [kit.index('codehost_deliveries_at').on(t.at)],
  );

  /**
   * One row for each subject, however often it is marked. A settled row is kept for a while, so that its mark keeps
   * rising.
   */
  const codehostInbox = kit.table(
    'codehost_inbox',
    {
      ordinal: kit.identity('ordinal'),
      codehostRepoId: kit.text('codehost_repo_id').notNull(),
      kind: kit.text('kind').$type<ChangedSubject['kind']>().notNull(),
      number: kit.int('number').notNull(),
      mark: kit.int('mark').notNull(),
      markedAt: kit.instant('marked_at').notNull(),
      /** Not to be synced before; null when settled. By the database's clock, like `heldUntil`. */
      runAfter: kit.instant('run_after'),
      owner: kit.text('owner'),
      heldUntil: kit.instant('held_until'),
      failures: kit.int('failures').notNull(),
    },
    (t) => [
      kit.uniqueIndex('codehost_inbox_subject').on(t.codehostRepoId, t.kind, t.number),
      // The index has the settled ones too: it finds them when they are old.
      kit.index('codehost_inbox_due').on(t.runAfter, t.markedAt),
      kit.check('codehost_inbox_hold_whole', sql.raw('(owner is null) = (held_until is null)')),
      kit.check('codehost_inbox_held_while_marked', sql.raw('owner is null or run_after is not null')),
    ],
  );

  /** One row for each repository at the code host, shared by its registrations. */
  const codehostPolls = kit.table(
    'codehost_polls',
    {
      codehostRepoId: kit.text('codehost_repo_id').primaryKey(),
      cursor: kit.text('cursor'),
      /** By the database's clock. */
      dueAt: kit.instant('due_at').notNull(),
    },
    (t) => [kit.index('codehost_polls_due').on(t.dueAt)],
  );

  /** Imported issues that were deleted here. Deleted with the registration. */
  const codehostRemovals = kit.table(
    'codehost_removals',
    {
      repoId: repoIdColumn(kit, repos),
      /** `#7` for the issue of that number; else what a follow-up was made from. */
      origin: kit.text('origin').notNull(),
      at: kit.instant('at').notNull(),
    },
    (t) => [kit.primaryKey({ name: 'codehost_removals_pk', columns: [t.repoId, t.origin] })],
  );

  return {
    codehostSites,
    codehostRemovals,
    codehostGrants,
    codehostFlows,
    loginGrants,
    codehostDeliveries,
    codehostInbox,
    codehostPolls,
  };
}

/** The pull requests that were opened for issues, and what came of them. */
export function makeChangeRequestTables(
  kit: Kit,
  { repos, issues }: { repos: { id: PgColumn }; issues: { id: PgColumn } },
) {
  const changeRequests = kit.table(
    'change_requests',
    {
      repoId: repoIdColumn(kit, repos),
      number: kit.int('number').notNull(),
      issueId: issueIdColumn(kit, issues),
      openedAt: kit.instant('opened_at').notNull(),
      state: kit.text('state').$type<ChangeRequestState>().notNull(),
      readyAt: kit.instant('ready_at'),
      mergedAt: kit.instant('merged_at'),
      closedAt: kit.instant('closed_at'),
      revertedAt: kit.instant('reverted_at'),
      headCommit: kit.text('head_commit'),
      peopleCommits: kit.int('people_commits').notNull().default(0),
      reviewRounds: kit.int('review_rounds').notNull().default(0),
      buildRounds: kit.int('build_rounds').notNull().default(0),
      firstBuild: kit.text('first_build').$type<BuildEnd>(),
      build: kit.json<BuildNews>('build'),
      closeAskedAt: kit.instant('close_asked_at'),
      closeReason: kit.text('close_reason').$type<CloseReason>(),
      closeNote: kit.text('close_note'),
      /** Kept when that user is deleted. */
      closeAnsweredBy: kit.text('close_answered_by').$type<UserId>(),
      closeAnsweredAt: kit.instant('close_answered_at'),
      models: kit.json<ChangeRequestRecord['models']>('models').notNull(),
      promptRevision: kit.text('prompt_revision'),
      atFirstSight: kit.bool('at_first_sight'),
      updatedAt: kit.instant('updated_at').notNull(),
    },
    (t) => [
      kit.primaryKey({ name: 'change_requests_pk', columns: [t.repoId, t.number] }),
      kit.index('change_requests_by_issue').on(t.issueId),
      kit.index('change_requests_by_opening').on(t.repoId, t.openedAt),
      kit.check(
        'change_requests_answer_whole',
        sql.raw(
          '(close_reason is null) = (close_answered_by is null) and (close_reason is null) = (close_answered_at is null)',
        ),
      ),
    ],
  );

  return { changeRequests };
}
