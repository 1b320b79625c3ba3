import { withDeadline } from '@sluice/core/async';
import { AppError } from '@sluice/core/error';
import type { BaseBranches } from '@sluice/core/workspace';

const FETCH_MS = 30_000; // longer than an inspection of the remote: new commits are fetched

/** The base branches under a deadline: a remote that hangs counts as unreachable. */
export function basesWithDeadline(bases: BaseBranches): BaseBranches {
  const detail = `The repository did not answer within ${FETCH_MS / 1_000} seconds, so it is unknown whether the base has moved. Try again.`;
  const onTimeout = (cause: unknown) => new AppError('remote_unreachable', { detail }, { cause });
  return {
    since: (request) =>
      withDeadline({ ms: FETCH_MS, signal: request.signal, onTimeout }, (signal) =>
        bases.since({ ...request, signal }),
      ),
  };
}
