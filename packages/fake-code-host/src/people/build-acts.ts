import {
  ACTIONS,
  type CheckConclusion,
  type HostAnnotation,
  type HostApp,
  type HostCheckRun,
  type HostLog,
  type HostRequirement,
  type HostStatus,
  type HostSuite,
  type HostWorkflowRun,
} from '../state/host-build.ts';
import type { HostEvent, HostRepository, HostState } from '../state/host-state.ts';
import { checkRunWire, statusEventWire, suiteWire, workflowRunWire } from '../wire/wire-build.ts';
import { repoNamed, userNamed } from './host-people.ts';

/** The commit that is built, as the tip of a branch. */
interface BuiltCommit {
  readonly commit: string;
  readonly branch: string;
}

interface CheckEnd {
  readonly conclusion: CheckConclusion;
  readonly summary?: string;
  readonly annotations?: readonly HostAnnotation[];
  /** Only of jobs. */
  readonly log?: HostLog;
}

/** The acts of the builders of a repository (`owner/name`) at the host. Each act sends its webhooks. */
export interface HostBuilders {
  /** Requires a check of a branch. */
  require(repo: string, required: Omit<HostRequirement, 'app'> & { readonly app?: HostApp }): void;
  /** Whether a pull request must have the newest commit of its base. */
  requireUpToDate(repo: string): void;
  /** Queues a run of a workflow. @returns its id */
  startWorkflow(repo: string, of: BuiltCommit & { readonly name: string; readonly event?: string }): number;
  /** Starts a job of a run, which then is in progress. @returns the id of the job and of its check run */
  startJob(repo: string, job: { readonly run: number; readonly name: string }): number;
  /** Ends a job, or a check of another app. */
  endCheck(repo: string, id: number, end: CheckEnd): void;
  endWorkflow(repo: string, run: number, conclusion: NonNullable<HostWorkflowRun['conclusion']>): void;
  /** Begins another attempt of a run; its jobs are started by hand again. */
  rerun(repo: string, run: number): void;
  /** Starts a check of another app. Checks of one app and commit share a suite. @returns its id */
  startCheck(repo: string, of: BuiltCommit & { readonly name: string; readonly app: HostApp }): number;
  setStatus(
    repo: string,
    status: BuiltCommit &
      Pick<HostStatus, 'context' | 'state'> & { readonly description?: string; readonly by: string },
  ): number;
  /** Deletes a log, as the host does after some weeks. */
  expireLog(repo: string, id: number): void;
}

export function hostBuilders(host: HostState): HostBuilders {
  const tell = (repo: HostRepository, event: Pick<HostEvent, 'name' | 'action' | 'payload'>) =>
    host.emit({ repo, sender: repo.owner, ...event });
  const tellOfCheck = (repo: HostRepository, action: string, run: HostCheckRun) =>
    tell(repo, { name: 'check_run', action, payload: { check_run: checkRunWire(host, repo, run) } });
  const tellOfSuite = (repo: HostRepository, action: string, suite: HostSuite) =>
    tell(repo, { name: 'check_suite', action, payload: { check_suite: suiteWire(host, repo, suite) } });
  const tellOfWorkflow = (repo: HostRepository, action: string, run: HostWorkflowRun) =>
    tell(repo, { name: 'workflow_run', action, payload: { workflow_run: workflowRunWire(host, repo, run) } });

  function addCheck(repo: HostRepository, suite: HostSuite, name: string): number {
    const run: HostCheckRun = {
      id: host.nextId(),
      suite,
      name,
      status: 'in_progress',
      conclusion: null,
      startedAt: host.clock.now(),
      completedAt: null,
      summary: null,
      annotations: [],
      log: null,
    };
    repo.builds.checkRuns.push(run);
    tellOfCheck(repo, 'created', run);
    return run.id;
  }

  return {
    require: (name, required) => void repoNamed(host, name).builds.requirements.push({ app: null, ...required }),
    requireUpToDate: (name) => {
      repoNamed(host, name).builds.strict = true;
    },
    startWorkflow: (name, { commit, branch, name: title, event = 'pull_request' }) => {
      const repo = repoNamed(host, name);
      const path = `.github/workflows/${title.toLowerCase()}.yml`;
      const known = repo.builds.workflowRuns.filter((one) => one.path === path);
      const now = host.clock.now();
      const run: HostWorkflowRun = {
        id: host.nextId(),
        workflowId: known[0]?.workflowId ?? host.nextId(),
        name: title,
        path,
        event,
        suite: { id: host.nextId(), app: ACTIONS, commit, branch },
        runNumber: known.length + 1,
        createdAt: now,
        attempt: 1,
        startedAt: now,
        status: 'queued',
        conclusion: null,
        updatedAt: now,
      };
      repo.builds.workflowRuns.push(run);
      tellOfSuite(repo, 'requested', run.suite);
      tellOfWorkflow(repo, 'requested', run);
      return run.id;
    },
    startJob: (name, job) => {
      const repo = repoNamed(host, name);
      const run = workflowRun(repo, job.run);
      if (run.status !== 'in_progress') {
        Object.assign(run, { status: 'in_progress', updatedAt: host.clock.now() });
        tellOfWorkflow(repo, 'in_progress', run);
      }
      return addCheck(repo, run.suite, job.name);
    },
    endCheck: (name, id, { conclusion, summary = null, annotations = [], log = null }) => {
      const repo = repoNamed(host, name);
      const run = checkRun(repo, id);
      const completedAt = host.clock.now();
      Object.assign(run, { status: 'completed', conclusion, completedAt, summary, annotations, log });
      tellOfCheck(repo, 'completed', run);
      const isOpen = (one: HostCheckRun) => one.suite === run.suite && one.status !== 'completed';
      if (run.suite.app !== ACTIONS && !repo.builds.checkRuns.some(isOpen)) tellOfSuite(repo, 'completed', run.suite);
    },
    endWorkflow: (name, id, conclusion) => {
      const repo = repoNamed(host, name);
      const run = workflowRun(repo, id);
      Object.assign(run, { status: 'completed', conclusion, updatedAt: host.clock.now() });
      tellOfSuite(repo, 'completed', run.suite);
      tellOfWorkflow(repo, 'completed', run);
    },
    rerun: (name, id) => {
      const repo = repoNamed(host, name);
      const run = workflowRun(repo, id);
      const now = host.clock.now();
      const attempt = run.attempt + 1;
      Object.assign(run, { attempt, status: 'queued', conclusion: null, startedAt: now, updatedAt: now });
      tellOfSuite(repo, 'rerequested', run.suite);
      tellOfWorkflow(repo, 'requested', run);
    },
    startCheck: (name, { commit, branch, app, name: title }) => {
      const repo = repoNamed(host, name);
      const known = repo.builds.checkRuns.find(({ suite }) => suite.app === app && suite.commit === commit);
      return addCheck(repo, known?.suite ?? { id: host.nextId(), app, commit, branch }, title);
    },
    setStatus: (name, { branch, by, description = null, ...rest }) => {
      const repo = repoNamed(host, name);
      const status: HostStatus = {
        id: host.nextId(),
        createdAt: host.clock.now(),
        by: userNamed(host, by),
        description,
        ...rest,
      };
      repo.builds.statuses.push(status);
      tell(repo, {
        name: 'status',
        action: null,
        payload: statusEventWire(host, repo, { status, branches: [branch] }),
      });
      return status.id;
    },
    expireLog: (name, id) => {
      checkRun(repoNamed(host, name), id).log = null;
    },
  };
}

function checkRun(repo: HostRepository, id: number): HostCheckRun {
  const found = repo.builds.checkRuns.find((run) => run.id === id);
  if (found === undefined) throw new Error(`The code host has no check run ${id}.`);
  return found;
}

function workflowRun(repo: HostRepository, id: number): HostWorkflowRun {
  const found = repo.builds.workflowRuns.find((run) => run.id === id);
  if (found === undefined) throw new Error(`The code host has no workflow run ${id}.`);
  return found;
}
