import { jsonAnswer, refuse, refuseInvalid } from '../http/answer.ts';
import { type HostCall, type HostRoute, stringField } from '../http/host-call.ts';
import { pageAnswer } from '../http/paging.ts';
import {
  addLineComment,
  editLineComment,
  followBranches,
  judgeMerge,
  openPull,
  type PullOutcome,
} from '../people/pull-acts.ts';
import { setState, tellOfSubject } from '../people/subject-acts.ts';
import { tipOf } from '../state/bare-repository.ts';
import type { HostRepository } from '../state/host-state.ts';
import { atLeast, permissionOfToken } from '../state/permission.ts';
import { fullPullWire, isPull, lineCommentWire, pullWire, reviewWire } from '../wire/wire-pull.ts';
import { callerOf, reachPull, reachRepo } from './reach.ts';
import { MAX_TEXT, textOf } from './rest-issues.ts';

export const pullRoutes: readonly HostRoute[] = [
  { route: 'GET /repos/:owner/:repo/pulls', handle: listPulls },
  { route: 'POST /repos/:owner/:repo/pulls', handle: createPull },
  { route: 'GET /repos/:owner/:repo/pulls/comments', handle: listAllLineComments },
  { route: 'GET /repos/:owner/:repo/pulls/comments/:comment', handle: getLineComment },
  { route: 'PATCH /repos/:owner/:repo/pulls/comments/:comment', handle: updateLineComment },
  { route: 'POST /repos/:owner/:repo/pulls/:number/comments/:comment/replies', handle: createReply },
  { route: 'GET /repos/:owner/:repo/pulls/:number', handle: getPull },
  { route: 'PATCH /repos/:owner/:repo/pulls/:number', handle: updatePull },
  { route: 'GET /repos/:owner/:repo/pulls/:number/reviews', handle: listReviews },
  { route: 'GET /repos/:owner/:repo/pulls/:number/comments', handle: listLineComments },
];

/** The repository with its pull requests where their branches are. */
async function reachFresh(call: HostCall): Promise<HostRepository> {
  const repo = reachRepo(call);
  await followBranches(call.host, repo, repo.owner);
  return repo;
}

async function listPulls(call: HostCall) {
  const repo = await reachFresh(call);
  const state = call.query.get('state') ?? 'open';
  const [owner, head] = (call.query.get('head') ?? '').split(/:(.*)/s);
  const base = call.query.get('base');
  const found = repo.subjects.filter(isPull).filter(
    (subject) =>
      (state === 'all' || subject.state === state) &&
      // The host ignores a head without its owner, too.
      (head === undefined || (owner?.toLowerCase() === repo.owner.login.toLowerCase() && subject.pull.head === head)) &&
      (base === null || subject.pull.base === base),
  );
  const sign = call.query.get('direction') === 'asc' ? 1 : -1;
  const keyOf = call.query.get('sort') === 'updated' ? lastChange : () => 0;
  const sorted = found.toSorted((a, b) => sign * (keyOf(a) - keyOf(b) || a.number - b.number));
  return pageAnswer(call, sorted, (subject) => pullWire(call.host, repo, subject));
}

async function createPull(call: HostCall) {
  const repo = reachRepo(call, 'write');
  const author = callerOf(call);
  const [title, head, base] = ['title', 'head', 'base'].map((field) => stringField(call, field) ?? '');
  if (!title || !head || !base) {
    const field = !title ? 'title' : !head ? 'head' : 'base';
    return refuseInvalid({ resource: 'PullRequest', code: 'missing_field', field });
  }
  const body = stringField(call, 'body') ?? '';
  checkLength(body);
  const [owner = '', branch = head] = head.split(/:(.*)/s);
  const isHere = branch === head || owner.toLowerCase() === repo.owner.login.toLowerCase();
  const draft = { title, body, head: branch, base, draft: call.body.draft === true, author };
  const outcome = isHere ? await openPull(call.host, repo, draft) : { kind: 'no_head' as const };
  if (outcome.kind === 'opened') return jsonAnswer(201, fullPullWire(call.host, repo, outcome.subject));
  return explain(outcome.kind, { head: `${repo.owner.login}:${branch}`, base, branch });
}

function explain(
  kind: Exclude<PullOutcome['kind'], 'opened'>,
  ends: { head: string; base: string; branch: string },
): never {
  const resource = 'PullRequest';
  if (kind === 'no_head') return refuseInvalid({ resource, field: 'head', code: 'invalid' });
  if (kind === 'no_base') return refuseInvalid({ resource, field: 'base', code: 'invalid' });
  if (kind === 'no_drafts') return refuse(422, 'Draft pull requests are not supported in this repository.');
  const message =
    kind === 'exists'
      ? `A pull request already exists for ${ends.head}.`
      : `No commits between ${ends.base} and ${ends.branch}`;
  return refuseInvalid({ resource, code: 'custom', message });
}

async function getPull(call: HostCall) {
  const repo = await reachFresh(call);
  const subject = reachPull(call, repo);
  const tip = await tipOf(repo, subject.pull.base);
  const { judged, headCommit } = subject.pull;
  if (judged?.head !== headCommit || judged.base !== tip) subject.pull.judged = null;
  const answer = jsonAnswer(200, fullPullWire(call.host, repo, subject));
  await judgeMerge(repo, subject);
  return answer;
}

async function updatePull(call: HostCall) {
  const repo = await reachFresh(call);
  const by = callerOf(call);
  const subject = reachPull(call, repo);
  if (subject.author !== by && !atLeast(permissionOfToken(repo, call.token), 'write')) {
    refuse(403, 'Must have admin rights to Repository.');
  }
  const body = stringField(call, 'body');
  checkLength(body ?? '');
  const state = stringField(call, 'state');
  if (body !== null) subject.body = body;
  subject.title = stringField(call, 'title') ?? subject.title;
  subject.pull.base = stringField(call, 'base') ?? subject.pull.base;
  subject.updatedAt = call.host.clock.now();
  tellOfSubject(call.host, { repo, subject, by }, { action: 'edited' });
  if (state === 'open' || state === 'closed') setState(call.host, { repo, subject, by }, state);
  return jsonAnswer(200, fullPullWire(call.host, repo, subject));
}

function checkLength(body: string): void {
  if (body.length <= MAX_TEXT) return;
  const message = `body is too long (maximum is ${MAX_TEXT} characters)`;
  refuseInvalid({ resource: 'Issue', code: 'custom', field: 'body', message });
}

function listReviews(call: HostCall) {
  const repo = reachRepo(call);
  const subject = reachPull(call, repo);
  return pageAnswer(call, subject.pull.reviews, (review) => reviewWire(call.host, { repo, subject }, review));
}

function listLineComments(call: HostCall) {
  const repo = reachRepo(call);
  const subject = reachPull(call, repo);
  const sign = call.query.get('direction') === 'desc' ? -1 : 1;
  const sorted = subject.pull.lineComments.toSorted((a, b) => sign * (a.id - b.id));
  return pageAnswer(call, sorted, (comment) => lineCommentWire(call.host, { repo, subject }, comment));
}

/** Lists the line comments of every pull request. */
function listAllLineComments(call: HostCall) {
  const repo = reachRepo(call);
  const found = repo.subjects
    .filter(isPull)
    .flatMap((subject) => subject.pull.lineComments.map((comment) => ({ subject, comment })));
  const sign = call.query.get('direction') === 'desc' ? -1 : 1;
  const keyOf = call.query.get('sort') === 'updated' ? lastChange : () => 0;
  const sorted = found.toSorted((a, b) => sign * (keyOf(a.comment) - keyOf(b.comment) || a.comment.id - b.comment.id));
  return pageAnswer(call, sorted, ({ subject, comment }) => lineCommentWire(call.host, { repo, subject }, comment));
}

function reachLineComment(call: HostCall, repo: HostRepository) {
  for (const subject of repo.subjects.filter(isPull)) {
    const comment = subject.pull.lineComments.find(({ id }) => String(id) === call.params.comment);
    if (comment !== undefined) return { subject, comment };
  }
  return refuse(404, 'Not Found');
}

function getLineComment(call: HostCall) {
  const repo = reachRepo(call);
  const { subject, comment } = reachLineComment(call, repo);
  return jsonAnswer(200, lineCommentWire(call.host, { repo, subject }, comment));
}

function updateLineComment(call: HostCall) {
  const repo = reachRepo(call);
  const by = callerOf(call);
  const { subject, comment } = reachLineComment(call, repo);
  if (comment.author !== by && !atLeast(permissionOfToken(repo, call.token), 'write')) {
    refuse(403, 'Must have admin rights to Repository.');
  }
  editLineComment(call.host, { repo, subject, by }, { comment, body: textOf(call) });
  return jsonAnswer(200, lineCommentWire(call.host, { repo, subject }, comment));
}

/** Only to the first comment of a thread. */
function createReply(call: HostCall) {
  const repo = reachRepo(call);
  const by = callerOf(call);
  const subject = reachPull(call, repo);
  const first = subject.pull.lineComments.find(({ id }) => String(id) === call.params.comment);
  if (first === undefined || first.replyTo !== null) return refuse(404, 'Not Found');
  const { id: replyTo, path, line, hunk } = first;
  const reply = addLineComment(call.host, { repo, subject, by }, { replyTo, path, line, hunk, body: textOf(call) });
  return jsonAnswer(201, lineCommentWire(call.host, { repo, subject }, reply));
}

function lastChange({ updatedAt }: { readonly updatedAt: Date }): number {
  return updatedAt.getTime();
}
