import { AppError, type BaseBranches } from '@sluice/core';
import { answeredWithin } from '../deadline/answered-within.ts';

const FETCH_MS = 30_000; // longer than looking at a remote: what is new there is fetched

/** The base branches under a deadline: a remote that hangs is one that cannot be reached, and nothing is decided. */
export function patientBases(bases: BaseBranches): BaseBranches {
  const detail = `The repository did not answer within ${FETCH_MS / 1_000} seconds, so it is not known whether the base has moved. Try again.`;
  const late = (cause: unknown) => new AppError('remote_unreachable', { detail }, { cause });
  return {
    since: (request) =>
      answeredWithin({ ms: FETCH_MS, signal: request.signal, late }, (signal) => bases.since({ ...request, signal })),
  };
}
