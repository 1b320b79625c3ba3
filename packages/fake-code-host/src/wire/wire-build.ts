import type { HostApp, HostCheckRun, HostStatus, HostSuite, HostWorkflowRun } from '../state/host-build.ts';
import type { HostRepository, HostState } from '../state/host-state.ts';
import { nameOf } from '../state/host-state.ts';
import { isPull } from './wire-pull.ts';
import { repoWire } from './wire-repo.ts';
import { timeWire, userWire } from './wire-user.ts';

export function checkRunWire(host: HostState, repo: HostRepository, run: HostCheckRun) {
  const url = `${host.apiUrl}/repos/${nameOf(repo)}/check-runs/${run.id}`;
  const html = `${host.webUrl}/${nameOf(repo)}/runs/${run.id}`;
  return {
    id: run.id,
    name: run.name,
    node_id: `CR_${run.id}`,
    head_sha: run.suite.commit,
    external_id: '',
    url,
    html_url: html,
    details_url: html,
    status: run.status,
    conclusion: run.conclusion,
    started_at: run.startedAt === null ? null : timeWire(run.startedAt),
    completed_at: run.completedAt === null ? null : timeWire(run.completedAt),
    output: {
      title: null,
      summary: run.summary,
      text: null,
      annotations_count: run.annotations.length,
      annotations_url: `${url}/annotations`,
    },
    check_suite: { id: run.suite.id, head_branch: run.suite.branch, head_sha: run.suite.commit },
    app: appWire(host, repo, run.suite.app),
    pull_requests: pullsWire(host, repo, run.suite),
  };
}

/** The wire form of a suite in its webhook. */
export function suiteWire(host: HostState, repo: HostRepository, suite: HostSuite) {
  const runs = repo.builds.checkRuns.filter((run) => run.suite === suite);
  const done = runs.length > 0 && runs.every(({ status }) => status === 'completed');
  return {
    id: suite.id,
    node_id: `CS_${suite.id}`,
    head_branch: suite.branch,
    head_sha: suite.commit,
    status: done ? 'completed' : 'queued',
    conclusion: done ? (runs.find(({ conclusion }) => conclusion !== 'success')?.conclusion ?? 'success') : null,
    app: appWire(host, repo, suite.app),
    pull_requests: pullsWire(host, repo, suite),
  };
}

export function workflowRunWire(host: HostState, repo: HostRepository, run: HostWorkflowRun) {
  const repoUrl = `${host.apiUrl}/repos/${nameOf(repo)}`;
  const url = `${repoUrl}/actions/runs/${run.id}`;
  return {
    id: run.id,
    name: run.name,
    node_id: `WFR_${run.id}`,
    check_suite_id: run.suite.id,
    head_branch: run.suite.branch,
    head_sha: run.suite.commit,
    path: run.path,
    display_title: run.name,
    run_number: run.runNumber,
    run_attempt: run.attempt,
    event: run.event,
    status: run.status,
    conclusion: run.conclusion,
    workflow_id: run.workflowId,
    url,
    html_url: `${host.webUrl}/${nameOf(repo)}/actions/runs/${run.id}`,
    pull_requests: pullsWire(host, repo, run.suite),
    created_at: timeWire(run.createdAt),
    updated_at: timeWire(run.updatedAt),
    run_started_at: timeWire(run.startedAt),
    jobs_url: `${url}/jobs`,
    logs_url: `${url}/logs`,
    check_suite_url: `${repoUrl}/check-suites/${run.suite.id}`,
    artifacts_url: `${url}/artifacts`,
    cancel_url: `${url}/cancel`,
    rerun_url: `${url}/rerun`,
    previous_attempt_url: run.attempt === 1 ? null : `${url}/attempts/${run.attempt - 1}`,
    workflow_url: `${repoUrl}/actions/workflows/${run.workflowId}`,
    head_commit: null,
    repository: repoWire(host, repo, 'read'),
    head_repository: repoWire(host, repo, 'read'),
  };
}

/** The wire form of a status among the combined ones. */
export function statusWire(host: HostState, repo: HostRepository, status: HostStatus) {
  return {
    id: status.id,
    node_id: `SC_${status.id}`,
    url: `${host.apiUrl}/repos/${nameOf(repo)}/statuses/${status.commit}`,
    avatar_url: `${host.webUrl}/avatars/u/${status.by.id}?v=4`,
    state: status.state,
    description: status.description,
    target_url: null,
    context: status.context,
    created_at: timeWire(status.createdAt),
    updated_at: timeWire(status.createdAt),
  };
}

/** The wire form of a status in its webhook. */
export function statusEventWire(
  host: HostState,
  repo: HostRepository,
  { status, branches }: { readonly status: HostStatus; readonly branches: readonly string[] },
) {
  const { commit, by } = status;
  return {
    ...statusWire(host, repo, status),
    sha: commit,
    name: nameOf(repo),
    commit: { sha: commit, author: userWire(host, by) },
    branches: branches.map((name) => ({ name, commit: { sha: commit }, protected: false })),
  };
}

function appWire(host: HostState, repo: HostRepository, app: HostApp) {
  const html = `${host.webUrl}/apps/${app.slug}`;
  return {
    id: app.id,
    slug: app.slug,
    node_id: `A_${app.id}`,
    owner: userWire(host, repo.owner),
    name: app.slug,
    description: '',
    external_url: html,
    html_url: html,
    created_at: '2020-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    permissions: { checks: 'write' },
    events: [],
  };
}

/** The open pull requests at that commit of that branch. */
function pullsWire(host: HostState, repo: HostRepository, { commit, branch }: HostSuite) {
  const url = `${host.apiUrl}/repos/${nameOf(repo)}`;
  const end = (ref: string, sha: string) => ({ ref, sha, repo: { id: repo.id, url, name: repo.name } });
  return repo.subjects
    .filter(isPull)
    .filter(({ state, pull }) => state === 'open' && pull.head === branch && pull.headCommit === commit)
    .map(({ number, pull }) => ({
      id: pull.id,
      number,
      url: `${url}/pulls/${number}`,
      head: end(pull.head, pull.headCommit),
      base: end(pull.base, pull.baseCommit),
    }));
}
