import { neededOnRepo } from '../access/role-needed.ts';
import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import type { CodeHost, CodeHostCall, HostedComment, HostedIssue } from '../code-host/code-host.ts';
import type { CodeHostTokens } from '../code-host/code-host-tokens.ts';
import type { HostedName } from '../code-host/hosted-name.ts';
import { AppError } from '../error/app-error.ts';
import type { Ids, IssueId } from '../id/id.ts';
import type { Issue } from '../issue/issue.ts';
import type { IssueStore } from '../issue/issue-store.ts';
import { type CurrentRepoContext, currentRepo } from '../repo/current-repo.ts';
import { hostedName, requireHosted } from '../repo/hosted-name.ts';
import type { Repo } from '../repo/repo.ts';
import { repoBusy } from '../repo/repo-busy.ts';
import type { ResponseToStore } from '../request/idempotency-store.ts';
import { hiddenTextWarnings } from '../text/hidden-text.ts';
import type { CodeHostIndex } from './code-host-index.ts';
import { importedText } from './imported-text.ts';

export interface ImportIssueContext extends Pick<CurrentRepoContext, 'repos'> {
  readonly issues: Pick<IssueStore, 'create'>;
  readonly codehostIndex: Pick<CodeHostIndex, 'imported'>;
  readonly ids: Ids;
  /** Null where no code host is configured. */
  readonly codehost: {
    readonly host: Pick<CodeHost, 'url' | 'repoById' | 'issue' | 'comments' | 'changeRequest'>;
  } | null;
  readonly codehostTokens: Pick<CodeHostTokens, 'callAsUser'> | null;
}

interface ImportIssueRequest {
  readonly number: number;
  readonly signal: AbortSignal;
  /** `service` for an import by label. */
  readonly by: Initiator | 'service';
  /** Stored with the issue, for a request with an idempotency key. */
  readonly response?: ResponseToStore<Issue> | undefined;
}

/**
 * Imports an issue of the code host with its text, labels and comments, using the token of the repository's user. It stays
 * `pending` until someone runs it. The caller has checked access to the repository.
 *
 * @throws AppError `issue_imported` with the `issue_id` when it was imported before, `codehost_not_found` when the number is
 * not an issue, `repo_not_hosted`, `repo_nested_group`, and what `currentRepo` and calls to the code host throw
 */
export async function importIssue(
  context: ImportIssueContext,
  repo: Repo,
  { number, signal, by, response }: ImportIssueRequest,
): Promise<Issue> {
  requireHosted(repo);
  const { codehost, codehostTokens } = context;
  if (codehost === null || codehostTokens === null) throw new AppError('codehost_not_configured');
  const there = (await context.codehostIndex.imported(repo.id, [number])).get(number);
  if (there !== undefined) throw imported(number, there);

  const name = hostedName(codehost.host, await currentRepo(context, repo, signal));
  const { hosted, comments } = await codehostTokens.callAsUser(repo.userId, signal, (call) =>
    readIssue(codehost.host, call, { name, number }),
  );
  const text = importedText(hosted, comments);
  const id = context.ids.next() as IssueId;
  const outcome = await context.issues.create(
    {
      id,
      userId: by === 'service' ? repo.userId : by.userId,
      repoId: repo.id,
      ...text,
      origin: 'codehost',
      baseBranch: repo.defaultBranch,
      codehost: { number, commentId: null, url: hosted.url },
      warnings: hiddenTextWarnings(text),
    },
    {
      queue: false,
      audit: auditEntry(
        by,
        { action: 'issue.imported', subjectId: id, detail: { repo_id: repo.id, number } },
        neededOnRepo('contribute', repo),
      ),
      response,
    },
  );
  if (outcome.kind === 'exists') throw imported(number, outcome.issueId); // imported concurrently
  if (outcome.kind === 'repo_busy') throw repoBusy(outcome.holder, repo.id);
  return outcome.issue;
}

function imported(number: number, issueId: IssueId): AppError {
  return new AppError('issue_imported', {
    detail: `#${number} has already been imported as ${issueId}.`,
    body: { issue_id: issueId },
  });
}

async function readIssue(
  host: NonNullable<ImportIssueContext['codehost']>['host'],
  call: CodeHostCall,
  { name, number }: { name: HostedName; number: number },
): Promise<{ hosted: HostedIssue; comments: readonly HostedComment[] }> {
  try {
    const hosted = await host.issue(call, name, number);
    return { hosted, comments: await host.comments(call, name, { kind: 'issue', number }) };
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const isChange = await host.changeRequest(call, name, number).then(
      () => true,
      (failure) => {
        if (isNotFound(failure)) return false;
        throw failure;
      },
    );
    const detail = isChange
      ? `#${number} of ${name} is a pull request, not an issue.`
      : `${name} has no issue #${number}, or the code host does not show it to your account.`;
    throw new AppError('codehost_not_found', { detail }, { cause: error });
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof AppError && error.code === 'codehost_not_found';
}
