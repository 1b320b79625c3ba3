import { neededOnRepo } from '../access/role-needed.ts';
import { auditEntry, type Initiator } from '../audit/audit-entry.ts';
import type { CodeHost, CodeHostCall, HostedComment, HostedIssue, HostedPicture } from '../code-host/code-host.ts';
import type { CodeHostTokens } from '../code-host/code-host-tokens.ts';
import type { HostedName } from '../code-host/hosted-name.ts';
import { AppError } from '../error/app-error.ts';
import type { IssueId } from '../id/id.ts';
import type { Issue } from '../issue/issue.ts';
import type { IssueStore } from '../issue/issue-store.ts';
import { type CurrentRepoContext, currentRepo } from '../repo/current-repo.ts';
import { hostedName, requireHosted } from '../repo/hosted-name.ts';
import type { Repo } from '../repo/repo.ts';
import { repoBusy } from '../repo/repo-busy.ts';
import type { ResponseToStore } from '../request/idempotency-store.ts';
import { hiddenTextWarnings } from '../text/hidden-text.ts';
import type { CodeHostIndex } from './code-host-index.ts';
import { type ImportPicturesContext, importPictures } from './import-pictures.ts';
import { importedText } from './imported-text.ts';

export interface ImportIssueContext extends Pick<CurrentRepoContext, 'repos'>, ImportPicturesContext {
  readonly issues: Pick<IssueStore, 'create'>;
  readonly codehostIndex: Pick<CodeHostIndex, 'imported'>;
  /** Null where no code host is configured. */
  readonly codehost: {
    readonly host: Pick<
      CodeHost,
      'url' | 'repoById' | 'issue' | 'comments' | 'pictures' | 'withPicture' | 'changeRequest'
    >;
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
 * Imports an issue of the code host with its text, labels, comments and pictures, using the token of the repository's user. It stays
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
  const { hosted, comments, pictures } = await codehostTokens.callAsUser(repo.userId, signal, (call) =>
    readIssue(codehost.host, call, { name, number }),
  );
  const userId = by === 'service' ? repo.userId : by.userId;
  const fetched = await importPictures(
    context,
    { host: codehost.host, pictures: pictures ?? [] },
    { by, userId, signal },
  );
  const text = importedText(hosted, comments, pictures === null ? [UNLISTED] : fetched.missing);
  const id = context.ids.next() as IssueId;
  const outcome = await context.issues.create(
    {
      id,
      userId,
      repoId: repo.id,
      ...text,
      origin: 'codehost',
      baseBranch: repo.defaultBranch,
      codehost: { number, commentId: null, url: hosted.url },
      warnings: hiddenTextWarnings(text),
      attachments: fetched.ids,
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

interface ReadIssue {
  readonly hosted: HostedIssue;
  readonly comments: readonly HostedComment[];
  /** Null: they cannot be listed. */
  readonly pictures: readonly HostedPicture[] | null;
}

/** Markdown or HTML that shows a picture: only then is the host asked for its pictures. */
const PICTURE = /!\[|<img\s/i;
const UNLISTED = 'The code host did not list the pictures of this issue.';

async function readIssue(
  host: NonNullable<ImportIssueContext['codehost']>['host'],
  call: CodeHostCall,
  { name, number }: { name: HostedName; number: number },
): Promise<ReadIssue> {
  try {
    const hosted = await host.issue(call, name, number);
    const comments = await host.comments(call, name, { kind: 'issue', number });
    const hasPictures = [hosted, ...comments].some(({ body }) => PICTURE.test(body));
    const pictures = hasPictures ? await listPictures(host, call, { name, number }) : [];
    return { hosted, comments, pictures };
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

/** Pictures are not worth the import: what goes wrong here is shown in the issue. */
async function listPictures(
  host: NonNullable<ImportIssueContext['codehost']>['host'],
  call: CodeHostCall,
  { name, number }: { name: HostedName; number: number },
): Promise<readonly HostedPicture[] | null> {
  try {
    return await host.pictures(call, name, number);
  } catch (error) {
    call.signal.throwIfAborted();
    if (error instanceof AppError) return null;
    throw error;
  }
}

function isNotFound(error: unknown): boolean {
  return error instanceof AppError && error.code === 'codehost_not_found';
}
