import { emptyAnswer, jsonAnswer, refuse } from '../http/answer.ts';
import type { HostCall, HostRoute } from '../http/host-call.ts';
import { cutPage, pageAnswer } from '../http/paging.ts';
import { gitIn } from '../state/bare-repository.ts';
import type { HostCheckRun, HostStatus } from '../state/host-build.ts';
import { type HostRepository, nameOf } from '../state/host-state.ts';
import { checkRunWire, statusWire, workflowRunWire } from '../wire/wire-build.ts';
import { repoWire } from '../wire/wire-repo.ts';
import { callerOf, reachRepo } from './reach.ts';

export const buildRoutes: readonly HostRoute[] = [
  { route: 'GET /repos/:owner/:repo/commits/:ref/check-runs', handle: listCheckRuns },
  { route: 'GET /repos/:owner/:repo/commits/:ref/status', handle: getCombinedStatus },
  { route: 'GET /repos/:owner/:repo/check-runs/:check', handle: getCheckRun },
  { route: 'GET /repos/:owner/:repo/check-runs/:check/annotations', handle: listAnnotations },
  { route: 'GET /repos/:owner/:repo/actions/runs', handle: listWorkflowRuns },
  { route: 'GET /repos/:owner/:repo/actions/jobs/:job/logs', handle: redirectToLog },
];

async function commitOf(call: HostCall, repo: HostRepository): Promise<string> {
  const ref = call.params.ref ?? '';
  try {
    return await gitIn(repo.path, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]);
  } catch {
    return refuse(422, `No commit found for SHA: ${ref}`);
  }
}

async function listCheckRuns(call: HostCall) {
  const repo = reachRepo(call);
  const commit = await commitOf(call, repo);
  const all = repo.builds.checkRuns.filter(({ suite }) => suite.commit === commit).toSorted((a, b) => b.id - a.id);
  const found = (call.query.get('filter') ?? 'latest') === 'all' ? all : latestOf(all);
  const page = cutPage(call, found);
  const check_runs = page.items.map((run) => checkRunWire(call.host, repo, run));
  return jsonAnswer(200, { total_count: found.length, check_runs }, page.links);
}

/** The newest run of each name in a suite. Several suites of one app can have a check of the same name. */
function latestOf(newestFirst: readonly HostCheckRun[]): HostCheckRun[] {
  const seen = new Set<string>();
  return newestFirst.filter(({ suite, name }) => {
    const key = `${suite.id} ${name}`;
    return !seen.has(key) && seen.add(key);
  });
}

async function getCombinedStatus(call: HostCall) {
  const repo = reachRepo(call);
  const sha = await commitOf(call, repo);
  const newest = new Map<string, HostStatus>();
  for (const status of repo.builds.statuses) if (status.commit === sha) newest.set(status.context, status);
  const found = [...newest.values()];
  const page = cutPage(call, found);
  const states = found.map(({ state }) => state);
  const failed = states.some((state) => state === 'failure' || state === 'error');
  const url = `${call.host.apiUrl}/repos/${nameOf(repo)}/commits/${sha}`;
  const body = {
    // The host answers the same where there is no status at all.
    state: failed ? 'failure' : states.length === 0 || states.includes('pending') ? 'pending' : 'success',
    statuses: page.items.map((status) => statusWire(call.host, repo, status)),
    sha,
    total_count: found.length,
    repository: repoWire(call.host, repo, 'read'),
    commit_url: url,
    url: `${url}/status`,
  };
  return jsonAnswer(200, body, page.links);
}

function reachCheckRun(repo: HostRepository, id: string | undefined): HostCheckRun {
  return repo.builds.checkRuns.find((run) => String(run.id) === id) ?? refuse(404, 'Not Found');
}

function getCheckRun(call: HostCall) {
  const repo = reachRepo(call);
  return jsonAnswer(200, checkRunWire(call.host, repo, reachCheckRun(repo, call.params.check)));
}

function listAnnotations(call: HostCall) {
  const repo = reachRepo(call);
  const run = reachCheckRun(repo, call.params.check);
  return pageAnswer(call, run.annotations, ({ path, line, level, message }) => ({
    path,
    start_line: line,
    end_line: line,
    start_column: null,
    end_column: null,
    annotation_level: level,
    title: null,
    message,
    raw_details: null,
    blob_href: `${call.host.webUrl}/${nameOf(repo)}/blob/${run.suite.commit}/${path}`,
  }));
}

function listWorkflowRuns(call: HostCall) {
  const repo = reachRepo(call);
  const sha = call.query.get('head_sha');
  const branch = call.query.get('branch');
  const found = repo.builds.workflowRuns
    .filter(({ suite }) => (sha === null || suite.commit === sha) && (branch === null || suite.branch === branch))
    .toReversed();
  const page = cutPage(call, found);
  const workflow_runs = page.items.map((run) => workflowRunWire(call.host, repo, run));
  return jsonAnswer(200, { total_count: found.length, workflow_runs }, page.links);
}

/** Logs are kept elsewhere, under addresses that are valid for a minute without a token. */
function redirectToLog(call: HostCall) {
  const repo = reachRepo(call);
  callerOf(call);
  const run = reachCheckRun(repo, call.params.job);
  if (run.log === null) return refuse(410, 'Server Error: the logs for this run have expired.');
  return emptyAnswer(302, { location: call.host.logs.addressOf(run) });
}
