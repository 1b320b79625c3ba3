import type { AccountChange } from '@sluice/core/account';
import type { IssueId, SessionId, UserId } from '@sluice/core/id';
import type { NewIssue } from '@sluice/core/issue';
import type { NewRepo } from '@sluice/core/repo';
import { expect, it } from 'vitest';
import type { RequestContext } from './request-context.ts';

it('gives procedures stores whose writes require an audit entry', () => {
  const [issueId, sessionId, userId] = ['i' as IssueId, 's' as SessionId, 'u' as UserId];
  // Checked by the compiler, and never called.
  const withoutEntries = ({ issues, repos, sessions, users }: RequestContext) => [
    // @ts-expect-error the audit entry is missing
    issues.addNote(issueId, 'text'),
    // @ts-expect-error the audit entry is missing
    issues.create({} as NewIssue, { queue: true }),
    // @ts-expect-error the audit entry is missing
    issues.apply({ issueId, from: { status: 'running' }, trigger: 'cancelled', events: [] }),
    // @ts-expect-error the audit entry is missing
    issues.remove(issueId, undefined),
    // @ts-expect-error the audit entry is missing
    repos.create({} as NewRepo),
    // @ts-expect-error the audit entry is missing
    sessions.revoke(sessionId),
    // @ts-expect-error the audit entry is missing
    users.changeAccount(userId, {} as AccountChange),
  ];
  expect(withoutEntries).toBeTypeOf('function');
});
