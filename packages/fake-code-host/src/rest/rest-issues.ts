import { jsonAnswer, refuse, refuseInvalid } from '../http/answer.ts';
import { type HostCall, type HostRoute, stringField } from '../http/host-call.ts';
import { pageAnswer } from '../http/paging.ts';
import { addComment, editComment, openIssue } from '../people/subject-acts.ts';
import type { HostRepository, HostSubject } from '../state/host-state.ts';
import { atLeast, permissionOfToken } from '../state/permission.ts';
import { commentWire, issueWire } from '../wire/wire-issue.ts';
import { timeWire } from '../wire/wire-user.ts';
import { callerOf, reachRepo, reachSubject } from './reach.ts';
import { renderedText } from './rendered-text.ts';

export const issueRoutes: readonly HostRoute[] = [
  { route: 'GET /repos/:owner/:repo/issues', handle: listIssues },
  { route: 'POST /repos/:owner/:repo/issues', handle: createIssue },
  { route: 'GET /repos/:owner/:repo/issues/:number', handle: getIssue },
  { route: 'GET /repos/:owner/:repo/issues/:number/comments', handle: listComments },
  { route: 'POST /repos/:owner/:repo/issues/:number/comments', handle: createComment },
  { route: 'GET /repos/:owner/:repo/issues/comments/:comment', handle: getComment },
  { route: 'PATCH /repos/:owner/:repo/issues/comments/:comment', handle: updateComment },
];

/** Pull requests are among them, as they are at the host. */
function listIssues(call: HostCall) {
  const repo = reachRepo(call);
  const state = call.query.get('state') ?? 'open';
  const since = call.query.get('since');
  const labels = (call.query.get('labels') ?? '').split(',').filter((name) => name !== '');
  const found = repo.subjects.filter(
    (subject) =>
      !subject.deleted &&
      (state === 'all' || subject.state === state) &&
      (since === null || timeWire(subject.updatedAt) >= since) &&
      labels.every((name) => subject.labels.some((label) => label.name.toLowerCase() === name.toLowerCase())),
  );
  return pageAnswer(call, found.toSorted(orderOf(call)), (subject) => issueWire(call.host, repo, subject));
}

function orderOf(call: HostCall): (a: HostSubject, b: HostSubject) => number {
  const sort = call.query.get('sort') ?? 'created';
  const sign = call.query.get('direction') === 'asc' ? 1 : -1;
  const keyOf = (subject: HostSubject) => {
    if (sort === 'comments') return subject.comments.length;
    return (sort === 'updated' ? subject.updatedAt : subject.createdAt).getTime();
  };
  return (a, b) => sign * (keyOf(a) - keyOf(b) || a.number - b.number);
}

function createIssue(call: HostCall) {
  const repo = reachRepo(call);
  const author = callerOf(call);
  const title = stringField(call, 'title');
  if (title === null || title === '') {
    return refuseInvalid({ resource: 'Issue', code: 'missing_field', field: 'title' });
  }
  const draft = { title, body: stringField(call, 'body') ?? '', author, labels: [] };
  return jsonAnswer(201, issueWire(call.host, repo, openIssue(call.host, repo, draft)));
}

function getIssue(call: HostCall) {
  const repo = reachRepo(call);
  const subject = reachSubject(call, repo);
  const wire = issueWire(call.host, repo, subject);
  return jsonAnswer(200, { ...wire, ...renderedText(call, wire.body) });
}

function listComments(call: HostCall) {
  const repo = reachRepo(call);
  const subject = reachSubject(call, repo);
  const since = call.query.get('since');
  const found = subject.comments.filter((comment) => since === null || timeWire(comment.updatedAt) >= since);
  return pageAnswer(call, found, (comment) => ({
    ...commentWire(call.host, { repo, subject }, comment),
    ...renderedText(call, comment.body),
  }));
}

function createComment(call: HostCall) {
  const repo = reachRepo(call);
  const by = callerOf(call);
  const subject = reachSubject(call, repo);
  const body = textOf(call);
  const comment = addComment(call.host, { repo, subject, by }, body);
  return jsonAnswer(201, commentWire(call.host, { repo, subject }, comment));
}

function getComment(call: HostCall) {
  const repo = reachRepo(call);
  const { subject, comment } = reachComment(call, repo);
  return jsonAnswer(200, commentWire(call.host, { repo, subject }, comment));
}

function updateComment(call: HostCall) {
  const repo = reachRepo(call);
  const by = callerOf(call);
  const { subject, comment } = reachComment(call, repo);
  if (comment.author !== by && !atLeast(permissionOfToken(repo, call.token), 'write')) {
    refuse(403, 'Must have admin rights to Repository.');
  }
  editComment(call.host, { repo, subject, by }, { comment, body: textOf(call) });
  return jsonAnswer(200, commentWire(call.host, { repo, subject }, comment));
}

function reachComment(call: HostCall, repo: HostRepository) {
  for (const subject of repo.subjects) {
    const comment = subject.comments.find(({ id }) => String(id) === call.params.comment);
    if (comment !== undefined && !subject.deleted) return { subject, comment };
  }
  return refuse(404, 'Not Found');
}

/** The host's limit on the text of an issue, a comment or a pull request. */
export const MAX_TEXT = 65_536;

/** The text of a comment. */
export function textOf(call: HostCall): string {
  const body = stringField(call, 'body');
  if (body === null || body.trim() === '') {
    return refuseInvalid({
      resource: 'IssueComment',
      code: 'unprocessable',
      field: 'data',
      message: 'Body cannot be blank',
    });
  }
  if (body.length > MAX_TEXT) {
    const message = `body is too long (maximum is ${MAX_TEXT} characters)`;
    refuseInvalid({ resource: 'IssueComment', code: 'unprocessable', field: 'data', message });
  }
  return body;
}
