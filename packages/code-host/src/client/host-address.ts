import { AppError } from '@sluice/core/error';

/** The address of the code host. */
export interface HostAddress {
  /** The web and git URL, without a trailing slash. */
  readonly web: string;
  readonly api: URL;
}

export interface RepoName {
  readonly owner: string;
  readonly repo: string;
}

export function hostAddress(webUrl: URL, apiUrl: URL): HostAddress {
  return { web: webUrl.href.replace(/\/+$/, ''), api: apiUrl };
}

const NAME = /^(?!\.{1,2}$)[\w.-]{1,100}$/; // a name of only dots would change the path of the request

/** The two parts of `owner/name`. @throws AppError `codehost_not_found` when no repository can have that name */
export function repoName(fullName: string): RepoName {
  const [owner = '', repo = '', ...more] = fullName.split('/');
  if (more.length > 0 || !NAME.test(owner) || !NAME.test(repo)) throw new AppError('codehost_not_found');
  return { owner, repo };
}

/**
 * Checks the number of an issue or a pull request.
 *
 * @throws AppError `codehost_not_found` when no issue can have that number
 */
export function subjectNumber(number: number): number {
  if (!Number.isSafeInteger(number) || number < 1) throw new AppError('codehost_not_found');
  return number;
}
