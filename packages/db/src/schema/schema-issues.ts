import type { BudgetKind } from '@sluice/core/budget';
import type { ChangeRequestState } from '@sluice/core/code-host';
import type { Estimate } from '@sluice/core/estimate';
import {
  type EventType,
  type Issue,
  type IssueError,
  type IssueResult,
  type IssueStatus,
  isPending,
  issueStatuses,
  mayHoldSlot,
  type NewEvent,
  needsSlot,
  statusesWhere,
} from '@sluice/core/issue';
import type { Gate, Plan, Stage } from '@sluice/core/pipeline';
import { sql } from 'drizzle-orm';
import type { AnyPgColumn, PgColumn } from 'drizzle-orm/pg-core';
import type { Kit } from './kit.ts';
import { pipelineForm } from './pipeline-document.ts';
import { userIdColumn } from './schema-accounts.ts';
import { repoIdColumn } from './schema-repos.ts';

/** The issues with their plans and events, and the slots that running issues occupy. */
export function makeIssueTables(kit: Kit, { users, repos }: { users: { id: PgColumn }; repos: { id: PgColumn } }) {
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
      userId: userIdColumn(kit, users).notNull(),
      repoId: repoIdColumn(kit, repos),
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
      /**
       * The place in the queue, while it waits there; smaller is earlier. Below zero: decided, ahead of new issues. Below
       * `BELOW_QUEUE`: held by a budget, outside the queue.
       */
      queueOrdinal: kit.big('queue_ordinal'),
      /**
       * The place in the line for its repository, while another issue holds the remote; smaller is earlier. The release before
       * does not know it, so it means nothing unless the issue is pending and not queued.
       */
      waitingOrdinal: kit.big('waiting_ordinal'),
      /** The budget that holds it. It means nothing unless the issue's place is below `BELOW_QUEUE`. */
      heldByBudget: kit.text('held_by_budget').$type<BudgetKind>(),
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
      // Where nearly all rows have no value, an index is of those that have one: SQLite samples the others too, takes each
      // value for as frequent as null, and then rather reads all issues of the repository.
      kit.uniqueIndex('issues_one_holder_per_remote').on(t.activeRemote).where(sql.raw('active_remote is not null')),
      kit.uniqueIndex('issues_one_holder_per_slot').on(t.slot).where(sql.raw('slot is not null')),
      kit.uniqueIndex('issues_one_per_place').on(t.queueOrdinal).where(sql.raw('queue_ordinal is not null')),
      // These two hold the queue and the slots alone, by user: whose turn it is is found without reading other issues.
      kit.index('issues_queue_by_user').on(t.userId, t.queueOrdinal).where(sql.raw('queue_ordinal is not null')),
      kit.index('issues_slots_of_user').on(t.userId, t.slot).where(sql.raw('slot is not null')),
      kit.index('issues_waiting_for_repo').on(t.repoId, t.waitingOrdinal).where(sql.raw('waiting_ordinal is not null')),
      kit.index('issues_by_user_start').on(t.userId, t.startedAt),
      kit.index('issues_by_gate_end').on(t.gateExpiresAt).where(sql.raw('gate_expires_at is not null')),
      // These two also tell whose or where each is: those of others, or elsewhere, are counted without a look at any issue.
      kit.index('issues_of_user').on(t.userId, t.ordinal, t.repoId),
      kit.index('issues_of_repo').on(t.repoId, t.ordinal, t.userId),
      kit.index('issues_by_user_status').on(t.userId, t.status, t.ordinal),
      kit.index('issues_by_repo_status').on(t.repoId, t.status, t.ordinal),
      // What has ended, by when: neither the place of a list nor a status tells what is news.
      kit.index('issues_by_user_end').on(t.userId, t.finishedAt).where(sql.raw('finished_at is not null')),
      kit.index('issues_by_repo_end').on(t.repoId, t.finishedAt).where(sql.raw('finished_at is not null')),
      kit.index('issues_of_parent').on(t.parentIssueId).where(sql.raw('parent_issue_id is not null')),
      kit
        .uniqueIndex('issues_imported_once')
        .on(t.repoId, t.codehostNumber)
        .where(sql.raw('codehost_number is not null')),
      kit
        .uniqueIndex('issues_one_per_comment')
        .on(t.repoId, t.codehostCommentId)
        .where(sql.raw('codehost_comment_id is not null')),
      kit
        .index('issues_of_change_request')
        .on(t.repoId, t.changeRequestNumber, t.ordinal, ...kit.alsoRead(t.costUsd))
        .where(sql.raw('change_request_number is not null')),
      ...issueChecks(kit),
    ],
  );

  const plans = kit.table(
    'plans',
    {
      issueId: issueIdColumn(kit, issues),
      revision: kit.int('revision').notNull(),
      document: kit.json<Plan>('document').notNull(),
    },
    (t) => [kit.primaryKey({ name: 'plans_pk', columns: [t.issueId, t.revision] })],
  );

  /** What the rest of a run was estimated to take, when a plan came to its gate, and what it took. */
  const estimates = kit.table(
    'estimates',
    {
      issueId: issueIdColumn(kit, issues),
      revision: kit.int('revision').notNull(),
      madeAt: kit.instant('made_at').notNull(),
      size: kit.int('size').notNull(),
      estimate: kit.json<Estimate>('estimate').notNull(),
      /** What the issue had taken when the estimate was made. */
      costBefore: kit.real('cost_before'),
      activeMsBefore: kit.big('active_ms_before').notNull(),
      /** Null while the run goes on, and for one of which nothing counts. */
      endedAt: kit.instant('ended_at'),
      costUsd: kit.real('cost_usd'),
      activeMs: kit.big('active_ms'),
    },
    (t) => [
      kit.primaryKey({ name: 'estimates_pk', columns: [t.issueId, t.revision] }),
      kit.index('estimates_by_end').on(t.endedAt).where(sql.raw('ended_at is not null')),
    ],
  );

  const events = kit.table(
    'events',
    {
      /** Over all issues, for readers of several. */
      ordinal: kit.identity('ordinal'),
      issueId: issueIdColumn(kit, issues),
      seq: kit.int('seq').notNull(),
      type: kit.text('type').$type<EventType>().notNull(),
      data: kit.json<NewEvent['data']>('data').notNull(),
      at: kit.instant('at').notNull(),
      /**
       * The issue's user, who never changes, so that the events of all their issues are a range of one index. Nullable
       * for the release before, which does not know it: on Postgres a trigger fills it in.
       */
      userId: kit.text('user_id').$type<Issue['userId']>(),
    },
    (t) => [kit.uniqueIndex('events_seq').on(t.issueId, t.seq), kit.index('events_by_user').on(t.userId, t.ordinal)],
  );

  return { slots, issues, plans, estimates, events };
}

/** A reference to the issue to which a row belongs; the row is deleted with it. */
export function issueIdColumn(kit: Kit, issues: { id: PgColumn }) {
  return kit
    .text('issue_id')
    .$type<Issue['id']>()
    .notNull()
    .references(() => issues.id, { onDelete: 'cascade' });
}

// In checks, names stand unqualified and values in full: parameters are not allowed there, and SQLite rebuilds a
// table under another name.
const oneOf = (statuses: readonly IssueStatus[]) => `(${statuses.map((status) => `'${status}'`).join(', ')})`;
const everyStatus = oneOf(issueStatuses);
const needingSlot = oneOf(statusesWhere(needsSlot));
const withOrWithoutSlot = oneOf(statusesWhere((status) => mayHoldSlot(status) && !needsSlot(status)));
const pendingStatuses = oneOf(statusesWhere(isPending));

/** The rules of the issue machine for a row, enforced by the database. */
function issueChecks(kit: Kit) {
  return [
    kit.check('issues_status_known', sql.raw(`status in ${everyStatus}`)),
    kit.check(
      'issues_slot_while_running',
      sql.raw(`status in ${withOrWithoutSlot} or (slot is not null) = (status in ${needingSlot})`),
    ),
    kit.check('issues_queue_while_pending', sql.raw(`queue_ordinal is null or status in ${pendingStatuses}`)),
    kit.check(
      'issues_queued_at_while_queued',
      sql.raw(`status not in ${pendingStatuses} or (queue_ordinal is null) = (queued_at is null)`),
    ),
    kit.check(
      'issues_remote_while_active',
      sql.raw(
        `(active_remote is not null) = (slot is not null or queue_ordinal is not null or status in ${withOrWithoutSlot})`,
      ),
    ),
    kit.check('issues_lease_whole', sql.raw('(lease_owner is null) = (lease_expires_at is null)')),
  ];
}
