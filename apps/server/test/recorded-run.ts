import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { IssueEvent, IssueWire } from '@sluice/core/issue';
import type { RepoWire } from '@sluice/core/repo';
import { type HttpSession, signUp } from './http-session.ts';
import { killIssue, killScript, makeListRepo, NOTE } from './kill-scenario.ts';
import { type ModelServer, startModelServer } from './model-server.ts';
import type { ScratchRepo } from './scratch-repo.ts';
import { scratchFolder } from './scratch-server.ts';
import { type ServiceProcess, startProcess } from './service-process.ts';

/** The point of a kill: at the `at`-th boundary, right before its commit or right after it. */
export interface Kill {
  readonly at: number;
  readonly side: 'before' | 'after';
  /** The data that is deleted before the service starts again. */
  readonly lost?: 'tree' | 'clone' | 'workspaces' | undefined;
}

/** What a run came to. */
export interface RecordedRun {
  readonly issue: IssueWire;
  readonly events: readonly IssueEvent[];
  readonly steps: readonly StepWire[];
  /** The requests that the model server has counted. */
  readonly requests: number;
  /** The subject of each boundary; of a killed run, those up to the kill. */
  readonly boundaries: readonly string[];
  readonly kills: number;
  readonly branches: readonly string[];
  readonly commits: number;
  readonly tree: string;
  readonly message: string;
  readonly log: string;
}

interface StepWire {
  readonly stage: string;
  readonly round: number;
  readonly outcome: string;
  readonly usage: IssueWire['usage'] | null;
}

/** The service as a person uses it: after a kill it is started again over the same data. */
interface Stand {
  readonly kill: Kill | null;
  readonly dataDir: string;
  readonly environment: Record<string, string>;
  process: ServiceProcess;
  kills: number;
}

const preload = import.meta.resolve('./kill-preload.ts');
const RUN_LIMIT_MS = 600_000; // 10 s on a quiet machine: it tells of a hang, never of a busy neighbour

/** Runs the recorded scenario to its end in a new data folder, with a kill on the way. */
export async function recordedRun(kill: Kill | null): Promise<RecordedRun> {
  let whenReading = async () => {};
  await using model = await startModelServer(killScript(() => whenReading()));
  const dataDir = scratchFolder();
  const repo = makeListRepo();
  const log = join(dataDir, 'boundaries.log');
  const orders = new URLSearchParams({ at: String(kill?.at ?? 0), side: kill?.side ?? '', log });
  const environment = { DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...model.environment('openai') };
  const process = await startProcess(environment, ['--import', `${preload}?${orders}`]);
  const stand: Stand = { kill, dataDir, environment, process, kills: 0 };
  try {
    const person = await signUp(process.url);
    const registered = await person.call<RepoWire>('POST', '/api/repos', { url: repo.path });
    const id = await createIssue(stand, { person, repoId: registered.body.id });
    whenReading = async () => {
      whenReading = async () => {};
      const sent = await person.at(stand.process.url).call('POST', `/api/issues/${id}/messages`, { text: NOTE });
      if (sent.status !== 202) throw new Error(`note: ${sent.status} ${JSON.stringify(sent.body)}`);
    };
    await finish(stand, { person, id });
    return await readRun(stand, { person: person.at(stand.process.url), id, repo, model, log });
  } finally {
    await stand.process.kill();
    rmSync(dataDir, { recursive: true, force: true });
    rmSync(dirname(repo.path), { recursive: true, force: true });
  }
}

async function createIssue(stand: Stand, { person, repoId }: { person: HttpSession; repoId: string }): Promise<string> {
  try {
    const created = await person.call<IssueWire>('POST', '/api/issues', { repo_id: repoId, ...killIssue });
    if (created.status !== 201) throw new Error(`issue: ${created.status} ${JSON.stringify(created.body)}`);
    return created.body.id;
  } catch (error) {
    // The first boundaries come so soon that the answer may be lost with the process.
    if ((await stand.process.ended) !== 'SIGKILL') throw error;
    await startAgain(stand, null);
    const listed = await person
      .at(stand.process.url)
      .call<{ items: IssueWire[] }>('GET', `/api/issues?repo_id=${repoId}`);
    const [issue] = listed.body.items;
    if (issue === undefined) throw new Error('the issue was lost', { cause: error });
    return issue.id;
  }
}

async function finish(stand: Stand, { person, id }: { person: HttpSession; id: string }): Promise<void> {
  const deadline = AbortSignal.timeout(RUN_LIMIT_MS);
  const overdue = new Promise<never>((_resolve, reject) => {
    deadline.addEventListener('abort', () => reject(new Error(`the issue did not end within ${RUN_LIMIT_MS} ms`)));
  });
  for (;;) {
    const { process } = stand;
    const followed = follow(person.at(process.url), id).then(
      () => true,
      () => false, // the process was killed under it
    );
    if (await Promise.race([followed, overdue])) return;
    const signal = await Promise.race([process.ended, overdue]);
    if (signal !== 'SIGKILL') throw new Error(`the service ended by itself (${signal})`);
    await startAgain(stand, id);
  }
}

async function startAgain(stand: Stand, id: string | null): Promise<void> {
  stand.kills += 1;
  const workspaces = join(stand.dataDir, 'workspaces');
  const lost = {
    tree: join(workspaces, 'trees', id ?? ''),
    clone: join(workspaces, 'caches'),
    workspaces,
  }[stand.kill?.lost ?? 'tree'];
  if (stand.kill?.lost !== undefined) {
    if (!existsSync(lost)) throw new Error(`there is nothing to delete at ${lost}`);
    rmSync(lost, { recursive: true });
  }
  stand.process = await startProcess(stand.environment);
}

/** Follows the issue to its end, approving its plan. @throws when the process ends before */
async function follow(person: HttpSession, id: string): Promise<void> {
  let seen = 0;
  for (;;) {
    const issue = await person.issue(id);
    if (issue.finished_at !== null) return;
    if (issue.gate !== null) await person.call('POST', `/api/issues/${id}/approve`, { action: 'approve' });
    await person.events(
      id,
      (event) => {
        if ('seq' in event) seen = event.seq;
        return event.type === 'issue.status' && event.data.to === 'awaiting_approval';
      },
      seen,
    );
  }
}

async function readRun(
  stand: Stand,
  made: { person: HttpSession; id: string; repo: ScratchRepo; model: ModelServer; log: string },
): Promise<RecordedRun> {
  const { person, id, repo, model, log } = made;
  const issue = await person.issue(id);
  const branches = repo.git('branch', '--list', '--format=%(refname:short)', 'sluice/*').split('\n').filter(Boolean);
  const branch = branches[0] ?? 'main';
  return {
    issue,
    events: (await person.events(id)) as IssueEvent[],
    steps: (await person.call<{ items: StepWire[] }>('GET', `/api/issues/${id}/steps`)).body.items,
    requests: model.requests().length,
    boundaries: readFileSync(log, 'utf8').split('\n').filter(Boolean),
    kills: stand.kills,
    branches,
    commits: Number(repo.git('rev-list', '--count', `main..${branch}`)),
    tree: repo.git('rev-parse', `${branch}^{tree}`),
    message: repo.git('log', '-1', '--format=%B', branch),
    log: repo.git('show', `${branch}:log.txt`),
  };
}
