import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { ChangedBranches, ChangedSubject, CodeHostWebhooks } from '@sluice/core/code-host';
import { z } from 'zod';
import { hostId, hostNumber } from './wire-values.ts';

const repository = z.object({ id: hostId });
const onIssue = z
  .object({ repository, issue: z.object({ number: hostNumber, pull_request: z.unknown().optional() }) })
  .transform(({ repository, issue }) =>
    changed(repository.id, issue.pull_request ? 'change_request' : 'issue', issue.number),
  );
const onChange = z
  .object({ repository, pull_request: z.object({ number: hostNumber }) })
  .transform(({ repository, pull_request }) => changed(repository.id, 'change_request', pull_request.number));

/*
 * News of a build names the branch whose tip is built, and pull requests only where these are of the repository itself; a
 * status names up to ten branches. A push also moves the base of pull requests. So all of them are taken by branch.
 */
const branch = z.string().min(1).nullish();
const suite = z.object({ head_branch: branch });
const onCheckRun = z
  .object({ repository, check_run: z.object({ check_suite: suite.nullish() }) })
  .transform(({ repository, check_run }) => moved(repository.id, [check_run.check_suite?.head_branch]));
const onCheckSuite = z
  .object({ repository, check_suite: suite })
  .transform(({ repository, check_suite }) => moved(repository.id, [check_suite.head_branch]));
const onWorkflowRun = z
  .object({ repository, workflow_run: suite })
  .transform(({ repository, workflow_run }) => moved(repository.id, [workflow_run.head_branch]));
const onStatus = z
  .object({ repository, branches: z.array(z.object({ name: z.string() })) })
  .transform(({ repository, branches }) =>
    moved(
      repository.id,
      branches.map(({ name }) => name),
    ),
  );
const BRANCH_REF = 'refs/heads/';
/** The sentences of git, and of the host for the revert of a pull request. */
const REVERTS = /^(?:This reverts commit [0-9a-f]{7}|Reverts \S+#\d)/im;
const pushed = z.array(z.object({ message: z.string() })).catch([]);
const onPush = z
  .object({ repository, ref: z.string(), commits: pushed })
  .transform(({ repository, ref, commits }): ChangedBranches | null => {
    const news = moved(repository.id, [ref.startsWith(BRANCH_REF) ? ref.slice(BRANCH_REF.length) : null]);
    const reverts = commits.some(({ message }) => REVERTS.test(message));
    return news === null || !reverts ? news : { ...news, reverts };
  });

/** Somebody was given or lost access, alone or by a team. */
const onMembers = z.object({ repository }).transform(({ repository }) => changed(repository.id, 'members', 0));

type Changed = ChangedSubject | ChangedBranches | null;

/** The events that Sluice handles, and where their deliveries name what changed. */
const events: ReadonlyMap<string, z.ZodType<Changed>> = new Map<string, z.ZodType<Changed>>([
  ['issues', onIssue],
  ['issue_comment', onIssue],
  ['pull_request', onChange],
  ['pull_request_review', onChange],
  ['pull_request_review_comment', onChange],
  ['check_run', onCheckRun],
  ['check_suite', onCheckSuite],
  ['workflow_run', onWorkflowRun],
  ['status', onStatus],
  ['push', onPush],
  ['member', onMembers],
  ['team', onMembers],
  ['team_add', onMembers],
]);

/** Reads webhook deliveries signed with the secret (HMAC-SHA-256). @throws Error for an empty secret, which is forgeable */
export function createCodeHostWebhooks(secret: string): CodeHostWebhooks {
  if (secret === '') throw new Error('The webhook secret is empty.');
  return {
    read: ({ headers, body }) => {
      const named = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value ?? '']));
      if (!isSigned(body, named.get('x-hub-signature-256') ?? '', secret)) return null;
      return {
        id: deliveryId(named.get('x-github-delivery') ?? '', body),
        changed: changeOf(named.get('x-github-event') ?? '', body),
      };
    },
  };
}

function isSigned(body: Uint8Array, signature: string, secret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  const given = Buffer.from(signature);
  return given.byteLength === expected.byteLength && timingSafeEqual(given, expected);
}

/** The signature does not cover the headers, so an invalid id is replaced by a hash of the body. */
function deliveryId(given: string, body: Uint8Array): string {
  return /^[\w-]{1,64}$/.test(given) ? given : createHash('sha256').update(body).digest('hex');
}

function changeOf(event: string, body: Uint8Array): Changed {
  const shape = events.get(event);
  if (shape === undefined) return null;
  try {
    return shape.safeParse(JSON.parse(Buffer.from(body).toString())).data ?? null;
  } catch {
    return null; // not JSON
  }
}

function changed(codehostRepoId: string, kind: ChangedSubject['kind'], number: number): ChangedSubject {
  return { codehostRepoId, kind, number };
}

/** Null when none of the branches is known, as for a build of a tag. */
function moved(codehostRepoId: string, names: readonly (string | null | undefined)[]): ChangedBranches | null {
  const branches = names.filter((name) => name != null);
  return branches.length === 0 ? null : { codehostRepoId, branches };
}
