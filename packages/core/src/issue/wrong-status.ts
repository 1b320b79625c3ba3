import { AppError } from '../error/app-error.ts';
import type { ErrorCode } from '../error/error-catalog.ts';
import type { Issue } from './issue.ts';

/** A refusal because of the issue's status. It names the status and the requirement. */
export function wrongStatus(code: ErrorCode, issue: Pick<Issue, 'status'>, needed: string): AppError {
  return new AppError(code, {
    detail: `This issue is \`${issue.status}\`; ${needed}.`,
    body: { status: issue.status },
  });
}
