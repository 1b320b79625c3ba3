import { type Clock, createKeyedMutex } from '@sluice/core/async';
import type { CodeHost, CodeHostAccount, CodeHostCall } from '@sluice/core/code-host';
import type { HostResolver } from '@sluice/core/network';
import { z } from 'zod';
import { askGraph } from '../client/graph-request.ts';
import { hostAddress, repoName, subjectNumber } from '../client/host-address.ts';
import { hostFetch } from '../client/host-fetch.ts';
import { createOctokits } from '../client/host-octokit.ts';
import { createHostSessions, type HostSession } from '../client/host-session.ts';
import { defaultPace, defaultTimeouts, type HostTimeouts, type Pace } from '../client/pace.ts';
import { createResponseCache } from '../client/response-cache.ts';
import { createPictureReader, findPictures, usualFileOrigins } from './attached-pictures.ts';
import { detailedChangeRequestSchema } from './change-request-schema.ts';
import { describeChangeRequest, findChangeRequest, openChangeRequest, readChangeRequest } from './change-requests.ts';
import { changedSince } from './changed-since.ts';
import { readFailedJobs } from './failed-jobs.ts';
import { type PutComment, putComment, replyToComment, type TextTarget, type WrittenText } from './put-text.ts';
import { readBranch } from './read-branch.ts';
import { readBuild } from './read-build.ts';
import { readAccountNamed, readCollaborators } from './read-collaborators.ts';
import { readComments } from './read-comments.ts';
import { compareCommits, findRevert, readCommits } from './read-commits.ts';
import { readIssue, readIssues } from './read-issues.ts';
import { readRepo, readRepoById, readRepos } from './read-repos.ts';
import { readThreads, resolveThread } from './review-threads.ts';
import { hostId } from './wire-values.ts';

export interface CodeHostOptions {
  /** The host's web and git URL. */
  readonly webUrl: URL;
  /** The URL of its API: a separate one for the public host, `/api/v3` below the web URL for others. */
  readonly apiUrl: URL;
  readonly clock: Clock;
  /** For addresses on other hosts, to which the host redirects. */
  readonly hosts: HostResolver;
  /** The origins at which the host keeps files of issues, and signs their addresses; the usual ones by default. */
  readonly fileOrigins?: readonly string[] | undefined;
  /** The User-Agent header, without which the host refuses requests. */
  readonly userAgent: string;
  readonly fetch?: typeof fetch;
  readonly timeouts?: HostTimeouts;
  readonly pace?: Pace;
}

const webAddress = z.url({ protocol: /^https?$/ });

const accountSchema = z
  .object({
    id: hostId,
    login: z.string().min(1),
    name: z.string().nullish(),
    avatar_url: z.string().nullish(),
  })
  .transform(
    ({ id, login, name, avatar_url }): CodeHostAccount => ({
      id,
      login,
      name: name ?? null,
      avatarUrl: webAddress.safeParse(avatar_url).data ?? null,
    }),
  );

/** The code host through its REST API. Responses are cached only for conditional requests, separately for each token. */
export function createCodeHost(options: CodeHostOptions): CodeHost {
  const { webUrl, apiUrl, clock, hosts, userAgent, timeouts = defaultTimeouts, pace = defaultPace } = options;
  const responses = createResponseCache();
  const fetching = { api: apiUrl, fetch: options.fetch ?? fetch, requestMs: timeouts.requestMs, responses };
  const address = hostAddress(webUrl, apiUrl);
  const inSession = createHostSessions({
    address,
    clock,
    callMs: timeouts.callMs,
    fetchFor: (tokenKey) => hostFetch(fetching, tokenKey),
    octokit: createOctokits({ api: apiUrl, userAgent, pace }),
  });
  const comments = createKeyedMutex();
  const origins = options.fileOrigins ?? usualFileOrigins(webUrl);
  const { requestMs } = timeouts;

  const readAccount = async (host: HostSession) =>
    (await host.send({ route: 'GET /user', schema: accountSchema })).data;

  /** Writes a text once. The host accepts duplicates, so finding and writing one must not interleave with another call. */
  function put<Text extends PutComment>(
    write: (host: HostSession, to: TextTarget, text: Text) => Promise<WrittenText>,
  ): (call: CodeHostCall, repo: string, text: Text) => Promise<WrittenText> {
    return (call, repo, text) =>
      inSession(call, (host) => {
        const work = async () => write(host, { fullName: repo, account: await readAccount(host) }, text);
        return comments.run(`${repo.toLowerCase()} ${text.number} ${text.marker}`, work, host.signal);
      });
  }

  return {
    url: address.web,
    account: (call) => inSession(call, readAccount),
    repos: (call, query) => inSession(call, (host) => readRepos(host, query)),
    repo: (call, fullName) => inSession(call, (host) => readRepo(host, fullName)),
    repoById: (call, id) => inSession(call, (host) => readRepoById(host, id)),
    issues: (call, repo, query) => inSession(call, (host) => readIssues(host, repo, query)),
    issue: (call, repo, number) => inSession(call, (host) => readIssue(host, repo, number)),
    comments: (call, repo, subject) => inSession(call, (host) => readComments(host, repo, subject)),
    pictures: (call, repo, number) => inSession(call, (host) => findPictures(host, repo, { number, origins })),
    withPicture: createPictureReader({ host: address, hosts, origins, requestMs }),
    changeRequest: (call, repo, number) => inSession(call, (host) => readChangeRequest(host, repo, number)),
    findChangeRequest: (call, repo, from) => inSession(call, (host) => findChangeRequest(host, repo, from)),
    openChangeRequest: (call, repo, draft) => inSession(call, (host) => openChangeRequest(host, repo, draft)),
    describeChangeRequest: (call, repo, change) => inSession(call, (host) => describeChangeRequest(host, repo, change)),
    putComment: put(putComment),
    replyToComment: put(replyToComment),
    branchHead: (call, repo, branch) =>
      inSession(call, async (host) => (await readBranch(host, repoName(repo), branch))?.commit.sha ?? null),
    collaborators: (call, repo) => inSession(call, (host) => readCollaborators(host, repo)),
    accountNamed: (call, login) => inSession(call, (host) => readAccountNamed(host, login, accountSchema)),
    compare: (call, repo, ends) => inSession(call, (host) => compareCommits(host, repo, ends)),
    changeRequestCommits: (call, repo, number) => inSession(call, (host) => readCommits(host, repo, number)),
    findRevert: (call, repo, merged) => inSession(call, (host) => findRevert(host, repo, merged)),
    build: (call, repo, of) => inSession(call, (host) => readBuild(host, repo, of)),
    failedJobs: (call, repo, checks) =>
      inSession(call, (host) => readFailedJobs(host, repo, { checks, hosts, logMs: timeouts.logMs })),
    reviewThreads: (call, repo, number) => inSession(call, (host) => readThreads(host, repo, number)),
    resolveThread: (call, threadId) => inSession(call, (host) => resolveThread(host, threadId)),
    markReady: (call, repo, number) => inSession(call, (host) => markReady(host, repo, number)),
    changedSince: (call, repo, cursor) => inSession(call, (host) => changedSince(host, repo, cursor)),
  };
}

export const readyDocument = `mutation ($pull: ID!) {
  markPullRequestReadyForReview(input: { pullRequestId: $pull }) { pullRequest { isDraft } }
}`;

async function markReady(host: HostSession, fullName: string, number: number): Promise<void> {
  const { data } = await host.send({
    route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}',
    parameters: { ...repoName(fullName), pull_number: subjectNumber(number) },
    schema: detailedChangeRequestSchema,
  });
  if (data.state !== 'open' || data.draft !== true) return;
  await askGraph(host, {
    ...{ document: readyDocument, variables: { pull: data.node_id }, writes: true },
    schema: z.object({
      markPullRequestReadyForReview: z.object({ pullRequest: z.object({ isDraft: z.literal(false) }) }),
    }),
  });
}
