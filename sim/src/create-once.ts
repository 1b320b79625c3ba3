import type { Initiator } from '@sluice/core/audit';
import type { Ids } from '@sluice/core/id';
import { createIssue, type IssueStore } from '@sluice/core/issue';
import type { Repo } from '@sluice/core/repo';
import type { IdempotencyStore } from '@sluice/core/request';

const ROUTE = 'POST /issues';
const CLAIM_MS = 15_000;
const KEPT_MS = 86_400_000;

interface Calls {
  readonly issues: IssueStore;
  readonly idempotency: IdempotencyStore;
  readonly ids: Ids;
}

interface Request {
  readonly repo: Repo;
  readonly key: string;
  readonly owner: string;
  readonly by: Initiator;
  /** Whether the issue waits for a busy repository. A repeated request asks for the same. */
  readonly waits?: boolean;
}

/** A request with an idempotency key, as the API does it: claim the key, create with the answer, release after a refusal. */
export async function createOnce(
  { issues, idempotency, ids }: Calls,
  { repo, key, owner, by, waits = false }: Request,
): Promise<void> {
  const request = { userId: repo.userId, route: ROUTE, key };
  const claim = await idempotency.claim(request, { hash: key, owner, ttlMs: CLAIM_MS, keptMs: KEPT_MS });
  if (claim.kind !== 'taken') return;
  try {
    await createIssue({ issues, ids }, repo as never, {
      draft: { title: key, body: 'sum(1, 2, 3) gives 3.' },
      by,
      waits,
      response: { request, owner, toResponse: ({ id }) => ({ body: { id }, location: id }) },
    });
  } catch (error) {
    await idempotency.release(request, owner).catch(() => undefined);
    throw error;
  }
}
