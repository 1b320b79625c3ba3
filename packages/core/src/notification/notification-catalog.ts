import * as z from 'zod';
import { budgetKinds } from '../budget/monthly-budget.ts';
import { changeRequestStates } from '../code-host/change-request.ts';
import { issueStatuses } from '../issue/issue-machine.ts';

const issueFacts = {
  issue_id: z.uuid().describe('The issue.'),
  title: z.string().describe('Its title. Untrusted text: escape it before you show it.'),
  repo: z.object({ id: z.uuid(), name: z.string() }).describe('Its repository.'),
  status: z.enum(issueStatuses).describe('Its status after the event.'),
  url: z.string().describe('Its page in the console.'),
};
const atGate = {
  ...issueFacts,
  revision: z.int().describe('The revision of the plan.'),
  expires_at: z.iso.datetime().nullable().describe('When the issue is cancelled without a decision; null: never.'),
  approvals: z
    .int()
    .optional()
    .describe('How many people have approved so far. The notification is sent again after each.'),
  approvals_needed: z.int().optional().describe('How many have to.'),
};
const changeRequest = z.object({
  number: z.int(),
  url: z.string(),
  state: z.enum(changeRequestStates),
});

/**
 * The kinds of notifications: the data of each, in its wire format. Small and typed: no code, no secret, and no free
 * text but the title, a reason and the sentence of a failure.
 */
export const notificationCatalog = {
  'gate.opened': z.object(atGate).describe('A plan awaits a decision.'),
  'question.asked': z.object(atGate).describe('A plan awaits a decision that answers a question.'),
  'publish_gate.opened': z
    .object({
      ...atGate,
      reason: z.string().nullable().describe('The first reason why a person is asked, shortened.'),
    })
    .describe('A change awaits a decision before it is published.'),
  'issue.failed': z
    .object({
      ...issueFacts,
      error: z
        .object({ stage: z.string().nullable(), message: z.string().describe('The reason, shortened.') })
        .describe('Where the pipeline gave up, and why.'),
    })
    .describe('The issue failed. It can be retried.'),
  'issue.completed': z
    .object({ ...issueFacts, change_request: changeRequest.nullable() })
    .describe('The issue is completed: its branch is published, or its question is answered.'),
  'change_request.opened': z
    .object({ ...issueFacts, change_request: changeRequest })
    .describe('A pull request was opened for the issue.'),
  'change_request.merged': z
    .object({ ...issueFacts, change_request: changeRequest })
    .describe('The pull request of the issue was merged.'),
  'change_request.closed': z
    .object({ ...issueFacts, change_request: changeRequest })
    .describe('The pull request of the issue was closed without a merge.'),
  'budget.warning': z
    .object({
      ...issueFacts,
      budget: z.object({
        share: z.number().describe('The used share of the limit that is closest to its end; 1 = used up.'),
        detail: z.string().describe('The use in words, such as "1,612,000 of 2,000,000 tokens".'),
      }),
    })
    .describe('The budget of the issue is nearly used up.'),
  'monthly_budget.warning': z
    .object({
      budget: z.object({
        of: z
          .enum(budgetKinds)
          .describe('Whose budget it is: that of the user, of a repository or of the installation.'),
        repo: z.object({ id: z.uuid(), name: z.string() }).nullable().describe('The repository; null for the others.'),
        month: z.string().describe('The month, such as `2026-11`, in UTC.'),
        share: z.number().describe('The used share of the limit that is closest to its end; 1 = used up.'),
        detail: z.string().describe('The use in words, such as "1,612,000 of 2,000,000 tokens".'),
      }),
      url: z.string().describe('The page in the console that shows it.'),
    })
    .describe('A monthly budget that you can raise, or your own, is used to 80 %. Once for each budget and month.'),
  test: z
    .object({
      target_id: z.uuid().describe('The target that is tested.'),
      url: z.string().describe('The page of the notifications in the console.'),
    })
    .describe('A test delivery, sent on request.'),
} as const satisfies Record<string, z.ZodType>;

type AnyKind = keyof typeof notificationCatalog;
/** The kinds that a target can be set to. `test` is only sent on request. */
export type NotificationKind = Exclude<AnyKind, 'test'>;
export const notificationKinds = Object.keys(notificationCatalog).filter((kind) => kind !== 'test') as [
  NotificationKind,
  ...NotificationKind[],
];
const decisionKinds = ['gate.opened', 'question.asked', 'publish_gate.opened'] as const;
/** The kinds that ask a person for something. */
export const needsYouKinds = [...decisionKinds, 'issue.failed'] as const satisfies readonly NotificationKind[];

/** Whether it asks everybody who may decide, and not only who created the issue. */
export function asksForDecision(kind: AnyKind): boolean {
  return (decisionKinds as readonly string[]).includes(kind);
}

/** A notification in its wire format, after Standard Webhooks. */
export type Notification = {
  [K in AnyKind]: {
    readonly type: K;
    /** When the event happened. */
    readonly timestamp: string;
    readonly data: z.infer<(typeof notificationCatalog)[K]>;
  };
}[AnyKind];

type WithoutUrl<N> = N extends { data: infer Data } ? Omit<N, 'data'> & { readonly data: Omit<Data, 'url'> } : never;
/** A notification as it is stored. Its link is added when it is sent, because only then the public URL is known. */
export type StoredNotification = WithoutUrl<Notification>;

/** The notification with its link, as receivers get it. */
export function toNotification(stored: StoredNotification, publicUrl: URL): Notification {
  const path = pathOf(stored);
  const url = `${publicUrl.href.replace(/\/+$/, '')}${path}`;
  return { ...stored, data: { ...stored.data, url } } as Notification;
}

function pathOf(stored: StoredNotification): string {
  if (stored.type === 'test') return '/settings';
  if (stored.type !== 'monthly_budget.warning') return `/issues/${stored.data.issue_id}`;
  const { of, repo } = stored.data.budget;
  if (of === 'installation') return '/admin';
  return repo === null ? '/settings' : `/repos/${repo.id}`;
}
