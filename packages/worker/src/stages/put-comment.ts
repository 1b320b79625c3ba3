import { type CodeHost, type CodeHostCall, issueMarker } from '@sluice/core/code-host';
import { AppError, type ErrorCode } from '@sluice/core/error';
import { hostedName } from '@sluice/core/repo';
import type { StageContext } from '../stage/stage-context.ts';

type Ports = 'codehost' | 'codehostTokens';

/** Errors for a comment whose target is gone or closed to us. The result itself exists, which is what matters. */
const NO_PLACE: readonly ErrorCode[] = ['codehost_not_found', 'codehost_forbidden', 'codehost_refused'];

/** The place of a comment, and notes for the issue's log: why there is none. */
export interface PutComment {
  readonly url: string | null;
  readonly notes: readonly string[];
}

/**
 * Writes the issue's one comment on an issue or a pull request of the code host, or replaces it.
 *
 * @param marker the first line of the body, by which the comment is found again; by default the issue's own
 */
export async function putComment(
  stage: StageContext<Ports>,
  number: number,
  { body, marker = issueMarker(stage.execution.issue().id) }: { readonly body: string; readonly marker?: string },
): Promise<PutComment> {
  try {
    const { url } = await callAsUser(stage, (host, call) =>
      host.putComment(call, hostedName(host, stage.repo), { number, marker, body }),
    );
    return { url, notes: [] };
  } catch (error) {
    if (!(error instanceof AppError) || !NO_PLACE.includes(error.code)) throw error;
    return { url: null, notes: [`Could not comment on #${number}: ${error.message}`] };
  }
}

/** Every write asks for the lease again right before it is sent: the grant is read, and other writes waited for, before. */
export async function callAsUser<T>(
  { deps, repo, signal, confirmLease }: StageContext<Ports>,
  work: (host: CodeHost, call: CodeHostCall) => Promise<T>,
): Promise<T> {
  const { codehost, codehostTokens } = deps;
  if (codehost === null || codehostTokens === null) throw new AppError('codehost_not_configured');
  return await codehostTokens.callAsUser(repo.userId, signal, (call) =>
    work(codehost, { ...call, beforeWrite: () => confirmLease() }),
  );
}
