import type { ChangedSubject, ChangeRequestState, CodeHostAccount, EncryptedGrant } from '@sluice/core/code-host';
import type { EventData, Issue, IssueResult, NewIssue } from '@sluice/core/issue';
import type { ReviewRemark } from '@sluice/core/pipeline';
import type { Repo } from '@sluice/core/repo';
import { newId } from '../builder/ids.ts';
import { applied, claimed } from './pipeline-moves.ts';
import { newIssueOn, registeredRepo, type StoreHarness } from './store-harness.ts';

/** A unique account at the code host. */
export function anAccount(overrides: Partial<CodeHostAccount> = {}): CodeHostAccount {
  return { id: newId(), login: 'ada', name: 'Ada', avatarUrl: 'https://host.test/ada.png', ...overrides };
}

/** A grant whose token never ends; `text` is what tells it from others. */
export function anEncryptedGrant(text = 'one', overrides: Partial<EncryptedGrant> = {}): EncryptedGrant {
  return { encryptedToken: { encrypted: `k1:${text}`, nonce: `nonce of ${text}` }, expiresAt: null, ...overrides };
}

/** A subject of a repository at the code host that nothing else is marked in. */
export function aSubject(overrides: Partial<ChangedSubject> = {}): ChangedSubject {
  return { codehostRepoId: newId(), kind: 'issue', number: 7, ...overrides };
}

/** A remark on a line. */
export function aRemark(overrides: Partial<ReviewRemark> = {}): ReviewRemark {
  const where = { id: 'line-7', thread: 'line-7', path: 'src/sum.js', line: 3 };
  return { ...where, author: 'ada', url: 'https://host.test/acme/sum/pull/9#line-7', text: 'Rename it.', ...overrides };
}

/** The answer to it. */
export function anAnsweredRemark(overrides: Partial<EventData<'remark.answered'>> = {}): EventData<'remark.answered'> {
  const done = { remark: 'line-7', outcome: 'done', commit: 'c0ffee', text: 'Done in c0ffee.' } as const;
  return { ...done, url: 'https://host.test/acme/sum/pull/9#line-70', ...overrides };
}

/** A repository that was registered from the code host. */
export async function hostedRepo(
  stores: Pick<StoreHarness, 'users' | 'repos'>,
  overrides: Partial<Repo> = {},
): Promise<Repo> {
  return await registeredRepo(stores, { provider: 'codehost', codehostRepoId: newId(), ...overrides });
}

/** An issue that comes from the code host under that number. */
export function importOf(repo: Repo, number: number, overrides: Partial<NewIssue> = {}): NewIssue {
  const codehost = { number, commentId: null, url: `https://host.test/acme/sum/issues/${number}` };
  return newIssueOn(repo, { origin: 'codehost', codehost, ...overrides });
}

/** A follow-up that was asked for in that comment. */
export function followUpOn(repo: Repo, commentId: string, overrides: Partial<NewIssue> = {}): NewIssue {
  const codehost = { number: null, commentId, url: `https://host.test/acme/sum/pull/9#${commentId}` };
  return newIssueOn(repo, { origin: 'follow_up', codehost, ...overrides });
}

/** The URL of the pull request that `published` names. */
export const PULL_URL = 'https://host.test/acme/sum/pull/9';
const RESULT: IssueResult = {
  branch: 'sluice/7',
  base_commit: 'ba5e',
  head_commit: 'c0ffee',
  change_request_url: PULL_URL,
  summary: 'Sum adds up.',
  files_changed: 1,
  additions: 1,
  deletions: 1,
  tests: null,
  findings: [],
  answer: null,
};

/** Completes a running issue, with a pull request in that state. */
export async function published(
  stores: Pick<StoreHarness, 'issues' | 'runs'>,
  { id }: Issue,
  state: ChangeRequestState,
): Promise<Issue> {
  return applied(
    await stores.issues.apply({
      issueId: id,
      from: { status: 'running' },
      trigger: 'published',
      lease: await claimed(stores, id),
      set: { result: RESULT, changeRequest: { number: 9, state } },
      events: [],
    }),
  );
}
