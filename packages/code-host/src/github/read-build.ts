import type { BuildCheck, BuildCheckState, HostedBuild } from '@sluice/core/code-host';
import { AppError } from '@sluice/core/error';
import { firstPages } from '../client/first-pages.ts';
import { repoName } from '../client/host-address.ts';
import type { HostSession } from '../client/host-session.ts';
import {
  type CheckRun,
  checkRunsSchema,
  type Status,
  statusesSchema,
  type WorkflowRun,
  workflowRunsSchema,
} from './build-schema.ts';
import { type RequiredChecks, readRequiredChecks } from './required-checks.ts';

const PAGES = 10; // a thousand of each; the largest matrix of a workflow has 256 jobs

/**
 * The build of a commit from its three lists, each reduced to what is newest: a run of a workflow supersedes an earlier one
 * for the same event, with all its jobs, and an attempt of a check the earlier ones.
 */
export async function readBuild(
  host: HostSession,
  fullName: string,
  { commit, baseBranch }: { commit: string; baseBranch: string },
): Promise<HostedBuild> {
  const repo = repoName(fullName);
  const at = { ...repo, ref: commit };
  const route = 'GET /repos/{owner}/{repo}/commits/{ref}';
  const checks = firstPages(
    host,
    { route: `${route}/check-runs`, parameters: { ...at, filter: 'latest' }, pages: PAGES },
    checkRunsSchema,
  );
  const [ofApps, statuses, runs, required] = await Promise.all([
    checks,
    firstPages(host, { route: `${route}/status`, parameters: at, pages: PAGES }, statusesSchema),
    readRuns(host, { ...repo, head_sha: commit, exclude_pull_requests: true }),
    readRequiredChecks(host, repo, baseBranch),
  ]);
  const current = newest(runs.items, ({ workflow_id, event }) => `${workflow_id} ${event}`);
  const parts = [
    ...checksOf(ofApps.items, { all: runs.items, current }).map((part) => checkPart(part, required)),
    ...statuses.items.map((status) => statusPart(status, required)),
    ...current.map((run) => workflowPart(run, required)),
  ];
  return {
    commit,
    checks: parts,
    required: required === null ? null : requiredNames(required, current),
    complete: ofApps.complete && statuses.complete && runs.complete,
  };
}

/** A host without workflows has no such list, and not every token may read it: then the checks say enough. */
async function readRuns(host: HostSession, parameters: Readonly<Record<string, unknown>>) {
  try {
    const route = 'GET /repos/{owner}/{repo}/actions/runs';
    return await firstPages(host, { route, parameters, pages: PAGES }, workflowRunsSchema);
  } catch (error) {
    const isAbsent = error instanceof AppError && ['codehost_forbidden', 'codehost_not_found'].includes(error.code);
    if (!isAbsent) throw error;
    return { items: [], complete: true };
  }
}

/** The newest entry of each key, by the host's ids, which rise. */
function newest<T extends { readonly id: string }>(entries: readonly T[], keyOf: (entry: T) => string): T[] {
  const found = new Map<string, T>();
  for (const entry of entries.toSorted((one, other) => Number(one.id) - Number(other.id))) {
    found.set(keyOf(entry), entry);
  }
  return [...found.values()];
}

interface CheckOfRun {
  readonly check: CheckRun;
  /** The run of a workflow that it is a job of. */
  readonly run: WorkflowRun | null;
}

/** The newest attempt of each check, without the jobs of superseded runs. */
function checksOf(
  checks: readonly CheckRun[],
  runs: { readonly all: readonly WorkflowRun[]; readonly current: readonly WorkflowRun[] },
): CheckOfRun[] {
  const bySuite = new Map(runs.all.map((run) => [run.check_suite_id, run]));
  const found = checks.map((check) => ({ id: check.id, check, run: bySuite.get(check.suite) ?? null }));
  const live = found.filter(({ run }) => run === null || runs.current.includes(run));
  return newest(live, ({ check, run }) => `${check.app} ${run?.id ?? ''} ${check.name}`);
}

function checkPart({ check, run }: CheckOfRun, required: RequiredChecks | null): BuildCheck {
  const { id, name, app } = check;
  const isNamed =
    required?.checks.some((one) => one.context === name && (one.app === null || one.app === app)) ?? false;
  return {
    id: `check-${id}`,
    name,
    summary: check.summary,
    source: 'check',
    state: isRepeated(check, run) ? 'pending' : check.state,
    required: isNamed || (run !== null && isRequired(run, required)),
    partOf: run === null ? null : `workflow-${run.id}`,
    url: check.html_url,
    startedAt: check.started_at,
    completedAt: check.completed_at,
  };
}

/**
 * Whether a job that did not pass is being repeated: another attempt of its run has begun, and the host has not reported the
 * job of that attempt yet.
 */
function isRepeated(check: CheckRun, run: WorkflowRun | null): boolean {
  if (run?.state !== 'pending' || !canBeRepeated.has(check.state)) return false;
  const [startedAt, attemptAt] = [check.started_at, run.run_started_at];
  return startedAt !== null && attemptAt !== null && startedAt < attemptAt;
}

/** A job that passed is not repeated with the failed ones. */
const canBeRepeated: ReadonlySet<BuildCheckState> = new Set<BuildCheckState>(['failure', 'cancelled', 'stale']);

function statusPart(status: Status, required: RequiredChecks | null): BuildCheck {
  return {
    id: `status-${status.id}`,
    name: status.context,
    summary: status.description,
    source: 'status',
    state: status.state,
    // The host does not tell which app a status is of, so a required app does not tell it from others.
    required: required?.checks.some(({ context }) => context === status.context) ?? false,
    partOf: null,
    url: status.target_url,
    startedAt: status.created_at,
    completedAt: status.state === 'pending' ? null : status.updated_at,
  };
}

function workflowPart(run: WorkflowRun, required: RequiredChecks | null): BuildCheck {
  return {
    id: `workflow-${run.id}`,
    name: nameOf(run),
    summary: null,
    source: 'workflow',
    state: run.state,
    required: isRequired(run, required),
    partOf: null,
    url: run.html_url,
    startedAt: run.run_started_at ?? run.created_at,
    completedAt: run.state === 'pending' ? null : run.updated_at,
  };
}

function isRequired(run: WorkflowRun, required: RequiredChecks | null): boolean {
  return required?.workflows.includes(run.path) ?? false;
}

/** A required workflow has the name of its run, or its path while it has not run. */
function requiredNames({ checks, workflows }: RequiredChecks, runs: readonly WorkflowRun[]): string[] {
  const named = workflows.map((path) => {
    const run = runs.find((one) => one.path === path);
    return run === undefined ? path : nameOf(run);
  });
  return [...new Set([...checks.map(({ context }) => context), ...named])];
}

function nameOf(run: WorkflowRun): string {
  return run.name ?? run.path;
}
