import type { Clock, CodeHost, CodeHostCall } from '@sluice/core';
import { createKeyedMutex } from '@sluice/core';
import { accountShape } from './account-shape.ts';
import { createAnswerCache } from './answer-cache.ts';
import { describeChangeRequest, findChangeRequest, openChangeRequest, readChangeRequest } from './change-requests.ts';
import { changedSince } from './changed-since.ts';
import { hostAddress } from './host-address.ts';
import { hostFetch } from './host-fetch.ts';
import { createOctokits } from './host-octokit.ts';
import { createHostSessions, type HostSession } from './host-session.ts';
import { type HostTimeouts, type Pace, politePace, usualTimeouts } from './pace.ts';
import { putComment } from './put-comment.ts';
import { readComments } from './read-comments.ts';
import { readIssue, readIssues } from './read-issues.ts';
import { readRepo, readRepoById, readRepos } from './read-repos.ts';

export interface CodeHostOptions {
  /** Where people look at the host and git reaches it. */
  readonly webUrl: URL;
  /** Its API: of its own on the public host, `/api/v3` below the web's on others. */
  readonly apiUrl: URL;
  readonly clock: Clock;
  /** What Sluice calls itself there: the host refuses who has no name. */
  readonly userAgent: string;
  readonly fetch?: typeof fetch;
  readonly timeouts?: HostTimeouts;
  readonly pace?: Pace;
}

/** The code host by its REST API. Answers are kept for conditional requests only, each for the token that it was given to. */
export function createCodeHost(options: CodeHostOptions): CodeHost {
  const { webUrl, apiUrl, clock, userAgent, timeouts = usualTimeouts, pace = politePace } = options;
  const answers = createAnswerCache();
  const fetching = { api: apiUrl, fetch: options.fetch ?? fetch, requestMs: timeouts.requestMs, answers };
  const inSession = createHostSessions({
    address: hostAddress(webUrl, apiUrl),
    clock,
    callMs: timeouts.callMs,
    fetchFor: (tokenKey) => hostFetch(fetching, tokenKey),
    octokit: createOctokits({ api: apiUrl, userAgent, pace }),
  });
  const comments = createKeyedMutex();

  const readAccount = async (host: HostSession) => (await host.ask({ route: 'GET /user', shape: accountShape })).data;

  function put(call: CodeHostCall, repo: string, comment: Parameters<CodeHost['putComment']>[2]) {
    return inSession(call, (host) => {
      const write = async () => putComment(host, { fullName: repo, account: await readAccount(host) }, comment);
      // The host lets an account say the same thing twice: looking and writing must not be between another's.
      return comments.run(`${repo.toLowerCase()} ${comment.number} ${comment.marker}`, write, host.signal);
    });
  }

  return {
    account: (call) => inSession(call, readAccount),
    repos: (call, query) => inSession(call, (host) => readRepos(host, query)),
    repo: (call, fullName) => inSession(call, (host) => readRepo(host, fullName)),
    repoById: (call, id) => inSession(call, (host) => readRepoById(host, id)),
    issues: (call, repo, query) => inSession(call, (host) => readIssues(host, repo, query)),
    issue: (call, repo, number) => inSession(call, (host) => readIssue(host, repo, number)),
    comments: (call, repo, subject) => inSession(call, (host) => readComments(host, repo, subject)),
    changeRequest: (call, repo, number) => inSession(call, (host) => readChangeRequest(host, repo, number)),
    findChangeRequest: (call, repo, from) => inSession(call, (host) => findChangeRequest(host, repo, from)),
    openChangeRequest: (call, repo, draft) => inSession(call, (host) => openChangeRequest(host, repo, draft)),
    describeChangeRequest: (call, repo, change) => inSession(call, (host) => describeChangeRequest(host, repo, change)),
    putComment: put,
    changedSince: (call, repo, cursor) => inSession(call, (host) => changedSince(host, repo, cursor)),
  };
}
