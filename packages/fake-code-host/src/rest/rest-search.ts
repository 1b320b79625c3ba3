import { jsonAnswer, refuse } from '../http/answer.ts';
import type { HostCall, HostRoute } from '../http/host-call.ts';
import { cutPage } from '../http/paging.ts';
import { findRepo, type HostRepository, type HostState, type HostSubject } from '../state/host-state.ts';
import { atLeast, permissionOfToken } from '../state/permission.ts';
import { issueWire } from '../wire/wire-issue.ts';

export const searchRoutes: readonly HostRoute[] = [{ route: 'GET /search/issues', handle: searchIssues }];

const MAX_RESULTS = 1_000;

/** Finds issues and pull requests of one repository by whole words of their titles, the newest first. */
function searchIssues(call: HostCall) {
  const { repo: fullName, is, state, phrases } = readQuery(call.query.get('q') ?? '');
  const repo = findRepo(call.host, fullName);
  if (repo === null || !atLeast(permissionOfToken(repo, call.token), 'read')) {
    return refuse(422, 'Validation Failed', {
      errors: [
        {
          message:
            'The listed users and repositories cannot be searched either because the resources do not exist or you do not have permission to view them.',
          resource: 'Search',
          field: 'q',
          code: 'invalid',
        },
      ],
    });
  }
  const matches = (subject: HostSubject) =>
    !subject.deleted &&
    (is === '' || (subject.pull === null ? 'issue' : 'pr') === is) &&
    (state === '' || subject.state === state) &&
    phrases.every((phrase) => wordsOf(subject.title).includes(wordsOf(phrase)));
  const found = repo.subjects.filter(matches).toSorted((a, b) => b.number - a.number);
  const { items, links, end } = cutPage(call, found.slice(0, MAX_RESULTS));
  if (end > MAX_RESULTS) return refuse(422, 'Only the first 1000 search results are available');
  const body = {
    total_count: found.length,
    incomplete_results: false,
    search_type: 'lexical',
    items: items.map((subject) => foundIssueWire(call.host, repo, subject)),
  };
  return jsonAnswer(200, body, links);
}

/** The wire form of a single issue, but without a body that is empty. */
function foundIssueWire(host: HostState, repo: HostRepository, subject: HostSubject) {
  const { body, ...issue } = issueWire(host, repo, subject);
  return { ...issue, ...(body === null ? {} : { body }), score: 1 };
}

/** The qualifiers that Sluice uses. The host ignores others silently, which would change the result. */
function readQuery(q: string) {
  const parts = [...q.matchAll(/"([^"]*)"|(\w+):(\S+)|(\S+)/g)];
  const of = (name: string) => parts.find(([, , key]) => key === name)?.[3] ?? '';
  const unknown = parts.find(([, , key]) => key !== undefined && !['repo', 'is', 'state', 'in'].includes(key));
  if (unknown !== undefined) return refuse(422, `The search for \`${unknown[0]}\` is not supported here.`);
  const phrases = parts.flatMap(([, quoted, , , word]) => quoted ?? word ?? []);
  return { repo: of('repo'), is: of('is'), state: of('state'), phrases };
}

/** Words between spaces, so that one text has the words of another in their order when it has it. */
function wordsOf(text: string): string {
  return ` ${
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ') ?? ''
  } `;
}
