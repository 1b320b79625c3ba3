import type {
  ChangeRequestState,
  CheckpointKind,
  EventType,
  Gate,
  Issue,
  IssueError,
  IssueResult,
  IssueStatus,
  JournalEntry,
  LogChunk,
  NewEvent,
  Plan,
  Repo,
  Session,
  Stage,
  User,
  WorkspaceDiff,
} from '@sluice/core';
import { sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Kit } from './kit.ts';
import { pipelineForm } from './pipeline-document.ts';
import { makeAuditTables } from './schema-audit.ts';
import { makeCodeHostTables } from './schema-codehost.ts';
import { issueChecks } from './schema-issue-checks.ts';
import { makeRequestTables } from './schema-requests.ts';

/** How a attempt ended; `interrupted` when its worker died, or the issue was changed under it. */
type StepEnd = 'completed' | 'failed' | 'interrupted';

/** Every table, once, for the dialect whose kit is given. */
export function makeSchema(kit: Kit) {
  const users = kit.table(
    'users',
    {
      id: kit.text('id').$type<User['id']>().primaryKey(),
      email: kit.text('email'),
      /** The e-mail in lower case, by JavaScript's rules: the engines disagree on letters outside ASCII. */
      emailKey: kit.text('email_key'),
      name: kit.text('name'),
      avatarUrl: kit.text('avatar_url'),
      codehostId: kit.text('codehost_id'),
      codehostLogin: kit.text('codehost_login'),
      /** When an operator disabled the user. */
      disabledAt: kit.instant('disabled_at'),
      createdAt: kit.instant('created_at').notNull(),
    },
    (t) => [kit.uniqueIndex('users_email_key').on(t.emailKey), kit.uniqueIndex('users_codehost_id').on(t.codehostId)],
  );
  const userId = () =>
    kit
      .text('user_id')
      .$type<User['id']>()
      .references(() => users.id, { onDelete: 'cascade' });

  /** Separate from the user, so that no read of a user includes the hash. */
  const credentials = kit.table('credentials', {
    userId: userId().primaryKey(),
    passwordHash: kit.text('password_hash').notNull(),
    updatedAt: kit.instant('updated_at').notNull(),
  });

  /** Failed logins by account and day; kept for a while. */
  const failedLogins = kit.table(
    'failed_logins',
    {
      userId: userId().notNull(),
      /** `YYYY-MM-DD` in UTC. */
      day: kit.text('day').notNull(),
      count: kit.int('count').notNull(),
    },
    (t) => [
      kit.primaryKey({ name: 'failed_logins_pk', columns: [t.userId, t.day] }),
      kit.index('failed_logins_by_day').on(t.day),
    ],
  );

  const sessions = kit.table(
    'sessions',
    {
      id: kit.text('id').$type<Session['id']>().primaryKey(),
      userId: userId().notNull(),
      createdAt: kit.instant('created_at').notNull(),
      expiresAt: kit.instant('expires_at').notNull(),
      revokedAt: kit.instant('revoked_at'),
      /** What its user knows it by. */
      client: kit.text('client'),
      /** Null in rows of an older release; those sessions have no idle timeout. */
      lastSeenAt: kit.instant('last_seen_at'),
      /** Null also where sessions have no idle timeout. */
      idleEndsAt: kit.instant('idle_ends_at'),
    },
    (t) => [kit.index('sessions_user').on(t.userId)],
  );

  const repos = kit.table(
    'repos',
    {
      ordinal: kit.identity('ordinal'),
      id: kit.text('id').$type<Repo['id']>().notNull().unique('repos_id'),
      userId: userId().notNull(),
      name: kit.text('name').notNull(),
      url: kit.text('url').notNull(),
      canonicalRemote: kit.text('canonical_remote').notNull(),
      defaultBranch: kit.text('default_branch').notNull(),
      provider: kit.text('provider').$type<Repo['provider']>().notNull(),
      codehostRepoId: kit.text('codehost_repo_id'),
      setupCommand: kit.text('setup_command'),
      testCommand: kit.text('test_command'),
      instructions: kit.text('instructions'),
      settings: kit.json<Repo['settings']>('settings').notNull(),
      accessToken: kit.json<NonNullable<Repo['accessToken']>>('access_token'),
      codeIndex: kit.json<NonNullable<Repo['index']>>('code_index'),
      createdAt: kit.instant('created_at').notNull(),
      updatedAt: kit.instant('updated_at').notNull(),
    },
    (t) => [
      kit.uniqueIndex('repos_remote_once_per_user').on(t.userId, t.canonicalRemote),
      kit.index('repos_by_user').on(t.userId, t.ordinal),
      kit.index('repos_by_codehost_repo').on(t.codehostRepoId, t.ordinal),
    ],
  );

  /**
   * One row for each issue that may run at the same time. A retired slot is still occupied, and is deleted when it is
   * freed.
   */
  const slots = kit.table('slots', {
    number: kit.int('number').primaryKey(),
    retired: kit.bool('retired').notNull(),
  });

  const issues = kit.table(
    'issues',
    {
      ordinal: kit.identity('ordinal'),
      id: kit.text('id').$type<Issue['id']>().notNull().unique('issues_id'),
      userId: userId().notNull(),
      repoId: kit
        .text('repo_id')
        .$type<Repo['id']>()
        .notNull()
        .references(() => repos.id, { onDelete: 'cascade' }),
      title: kit.text('title').notNull(),
      body: kit.text('body').notNull(),
      origin: kit.text('origin').$type<Issue['origin']>().notNull(),
      labels: kit.json<Issue['labels']>('labels').notNull(),
      parentIssueId: kit
        .text('parent_issue_id')
        .$type<Issue['id']>()
        .references((): AnyPgColumn => issues.id, { onDelete: 'set null' }),
      codehostNumber: kit.int('codehost_number'),
      codehostUrl: kit.text('codehost_url'),
      /** The comment that a follow-up was made from. */
      codehostCommentId: kit.text('codehost_comment_id'),
      changeRequestNumber: kit.int('change_request_number'),
      changeRequestState: kit.text('change_request_state').$type<ChangeRequestState>(),
      baseBranch: kit.text('base_branch').notNull(),

      status: kit.text('status').$type<IssueStatus>().notNull(),
      stage: kit.text('stage').$type<Stage>(),
      pipeline: kit.mappedJson('pipeline', pipelineForm).notNull(),
      /** The current plan, a row of `plans`. */
      planRevision: kit.int('plan_revision'),
      gate: kit.json<Gate>('gate'),
      gateExpiresAt: kit.instant('gate_expires_at'),
      result: kit.json<IssueResult>('result'),
      error: kit.json<IssueError>('error'),
      inputTokens: kit.big('input_tokens').notNull(),
      outputTokens: kit.big('output_tokens').notNull(),
      costUsd: kit.real('cost_usd'),

      /** The numbers of the last note that a person wrote and of the last one that an agent has read; 0 = none. */
      notesSeq: kit.int('notes_seq').notNull().default(0),
      notesReadSeq: kit.int('notes_read_seq').notNull().default(0),

      /** The canonical remote while the issue holds it (queued or beyond, not ended): its index is the rule. */
      activeRemote: kit.text('active_remote'),
      /** The place in the queue, while it waits there; smaller is earlier. Below zero: decided, ahead of new issues. */
      queueOrdinal: kit.big('queue_ordinal'),
      /** The pipeline slot that it occupies; the rows of `slots` are the cap. */
      slot: kit.int('slot').references(() => slots.number),

      leaseOwner: kit.text('lease_owner'),
      /** Raised by each claim and by whatever ends a lease from outside; writes under an older one are refused. */
      leaseEpoch: kit.int('lease_epoch').notNull(),
      /** By the database's clock, as `runAfter` is. */
      leaseExpiresAt: kit.instant('lease_expires_at'),
      /** Not to be claimed before. */
      runAfter: kit.instant('run_after'),

      createdAt: kit.instant('created_at').notNull(),
      updatedAt: kit.instant('updated_at').notNull(),
      queuedAt: kit.instant('queued_at'),
      startedAt: kit.instant('started_at'),
      finishedAt: kit.instant('finished_at'),
      lastSeq: kit.int('last_seq').notNull(),
    },
    (t) => [
      kit.uniqueIndex('issues_one_active_per_remote').on(t.activeRemote),
      kit.uniqueIndex('issues_one_per_slot').on(t.slot),
      kit.uniqueIndex('issues_queue').on(t.queueOrdinal),
      // These two hold the queue and the slots alone, by user: whose turn it is is found without reading other issues.
      kit.index('issues_queue_by_user').on(t.userId, t.queueOrdinal).where(sql.raw('queue_ordinal is not null')),
      kit.index('issues_slots_by_user').on(t.userId).where(sql.raw('slot is not null')),
      kit.index('issues_by_user_start').on(t.userId, t.startedAt),
      kit.index('issues_by_gate_expiry').on(t.gateExpiresAt),
      kit.index('issues_by_user').on(t.userId, t.ordinal),
      kit.index('issues_by_repo').on(t.repoId, t.ordinal),
      kit.index('issues_by_parent').on(t.parentIssueId),
      kit.uniqueIndex('issues_codehost_number_once').on(t.repoId, t.codehostNumber),
      kit.uniqueIndex('issues_codehost_comment_once').on(t.repoId, t.codehostCommentId),
      kit.index('issues_by_change_request').on(t.repoId, t.changeRequestNumber, t.ordinal),
      ...issueChecks(kit),
    ],
  );
  const issueId = () =>
    kit
      .text('issue_id')
      .$type<Issue['id']>()
      .notNull()
      .references(() => issues.id, { onDelete: 'cascade' });

  const plans = kit.table(
    'plans',
    {
      issueId: issueId(),
      revision: kit.int('revision').notNull(),
      document: kit.json<Plan>('document').notNull(),
    },
    (t) => [kit.primaryKey({ name: 'plans_pk', columns: [t.issueId, t.revision] })],
  );

  const events = kit.table(
    'events',
    {
      /** Over all issues, for readers of several. */
      ordinal: kit.identity('ordinal'),
      issueId: issueId(),
      seq: kit.int('seq').notNull(),
      type: kit.text('type').$type<EventType>().notNull(),
      data: kit.json<NewEvent['data']>('data').notNull(),
      at: kit.instant('at').notNull(),
    },
    (t) => [kit.uniqueIndex('events_seq').on(t.issueId, t.seq)],
  );

  const steps = kit.table(
    'steps',
    {
      ordinal: kit.identity('ordinal'),
      issueId: issueId(),
      stage: kit.text('stage').$type<Stage>().notNull(),
      round: kit.int('round').notNull(),
      attempt: kit.int('attempt').notNull(),
      agent: kit.text('agent').notNull(),
      startedAt: kit.instant('started_at').notNull(),
      finishedAt: kit.instant('finished_at'),
      outcome: kit.text('outcome').$type<StepEnd>(),
      inputTokens: kit.big('input_tokens'),
      outputTokens: kit.big('output_tokens'),
      costUsd: kit.real('cost_usd'),
      detail: kit.text('detail'),
    },
    (t) => [
      kit.uniqueIndex('steps_attempt').on(t.issueId, t.stage, t.round, t.attempt),
      kit.check('steps_end_whole', sql.raw('(outcome is null) = (finished_at is null)')),
    ],
  );

  const journalEntries = kit.table(
    'journal_entries',
    {
      ordinal: kit.identity('ordinal'),
      issueId: issueId(),
      stage: kit.text('stage').$type<Stage>().notNull(),
      round: kit.int('round').notNull(),
      entry: kit.json<JournalEntry>('entry').notNull(),
    },
    (t) => [kit.index('journal_entries_of_round').on(t.issueId, t.stage, t.round, t.ordinal)],
  );

  /** The diff so far, one per issue, so that any process can show it without the working tree. */
  const patches = kit.table('patches', {
    issueId: issueId().primaryKey(),
    baseCommit: kit.text('base_commit').notNull(),
    headCommit: kit.text('head_commit'),
    files: kit.json<WorkspaceDiff['files']>('files').notNull(),
    diff: kit.text('diff').notNull(),
    updatedAt: kit.instant('updated_at').notNull(),
  });

  /**
   * Checkpoints from which any host can continue the issue, until it can no longer be retried. The patch is compressed.
   */
  const checkpoints = kit.table(
    'checkpoints',
    {
      issueId: issueId(),
      kind: kit.text('kind').$type<CheckpointKind>().notNull(),
      commit: kit.text('commit').notNull(),
      object: kit.text('object').notNull(),
      patch: kit.bytes('patch').notNull(),
      updatedAt: kit.instant('updated_at').notNull(),
    },
    (t) => [kit.primaryKey({ name: 'checkpoints_pk', columns: [t.issueId, t.kind] })],
  );

  const commandLog = kit.table(
    'command_log',
    {
      issueId: issueId(),
      seq: kit.int('seq').notNull(),
      command: kit.text('command').notNull(),
      stream: kit.text('stream').$type<LogChunk['stream']>().notNull(),
      text: kit.text('text').notNull(),
      at: kit.instant('at').notNull(),
    },
    (t) => [kit.primaryKey({ name: 'command_log_pk', columns: [t.issueId, t.seq] })],
  );

  return {
    users,
    credentials,
    failedLogins,
    sessions,
    repos,
    slots,
    issues,
    plans,
    events,
    steps,
    journalEntries,
    patches,
    checkpoints,
    commandLog,
    ...makeAuditTables(kit, users),
    ...makeRequestTables(kit, users),
    ...makeCodeHostTables(kit, { users, repos }),
  };
}

export type Tables = ReturnType<typeof makeSchema>;
