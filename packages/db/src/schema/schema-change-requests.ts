import type { BuildNews, ChangeRequestState, CloseReason } from '@sluice/core/code-host';
import type { UserId } from '@sluice/core/id';
import type { BuildEnd, ChangeRequestRecord } from '@sluice/core/outcome';
import { sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Kit } from './kit.ts';
import { issueIdColumn } from './schema-issues.ts';
import { repoIdColumn } from './schema-repos.ts';

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
