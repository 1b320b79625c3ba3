import type { IssueEvent, IssueWire, LiveEvent } from '@sluice/core/issue';
import type { RepoWire } from '@sluice/core/repo';
import { createParser } from 'eventsource-parser';
import type { HttpSession } from '../http-session.ts';
import type { ScratchRepo } from '../scratch-repo.ts';
import { type Attack, planted } from './attack-plan.ts';
import { digestOf } from './attacked-host.ts';
import type { AttackedService } from './attacked-service.ts';

/** What an attack left behind, wherever somebody may read it. */
export interface Evidence {
  readonly attack: Attack;
  readonly issue: IssueWire;
  readonly repo: ScratchRepo;
  readonly repoId: string;
  readonly person: HttpSession;
  /** The stream as it came over the wire, from before the first stage to the end, and the events that a reader takes out of it. */
  readonly stream: string;
  readonly events: readonly (IssueEvent | LiveEvent)[];
  /** The issue at each gate, before the decision. */
  readonly atGate: readonly IssueWire[];
  /** The same at the publish gate, with what the origin held then; null when the issue had no publish gate. */
  readonly atPublishGate: { readonly issue: IssueWire; readonly origin: OriginState } | null;
  readonly texts: Readonly<Record<string, string>>;
  readonly before: OriginState;
  readonly after: OriginState;
}

interface OriginState {
  readonly refs: string;
  /** Its own folder, and what of `.git` only its owner changes. */
  readonly files: string;
}

interface Attacker {
  readonly person: HttpSession;
  readonly cookie: string;
  readonly repo: ScratchRepo;
}

/** Registers the attack's repository, makes its issue, decides as a person who trusts it would, and collects everything. */
export async function runAttack(world: AttackedService, attack: Attack, attacker: Attacker): Promise<Evidence> {
  const { person, cookie, repo } = attacker;
  const before = originState(repo);
  const { title, body, labels, instructions, notes, guidance } = planted(attack);
  const registered = await accepted<RepoWire>(person, '/api/repos', { url: repo.path, instructions });
  const created = await accepted<IssueWire>(person, '/api/issues', { repo_id: registered.id, title, body, labels });
  const stream = readStream(`${world.service.url}/api/issues/${created.id}/events`, cookie);
  const atGate = await decide(person, created.id, { guidance, notes });
  const atPublishGate = await confirm(person, created.id, repo);
  const raw = await stream;
  const issue = await person.issue(created.id);
  const path = `/api/issues/${created.id}`;
  const get = async (from: string) => JSON.stringify((await person.call('GET', from)).body);
  return {
    attack,
    issue,
    repo,
    repoId: registered.id,
    person,
    stream: raw,
    events: eventsIn(raw),
    atGate,
    atPublishGate,
    before,
    after: originState(repo),
    texts: {
      stream: raw,
      issue: JSON.stringify(issue),
      log: await get(`${path}/log`),
      diff: await get(`${path}/diff`),
      steps: await get(`${path}/steps`),
      plans: await get(`${path}/plans`),
      history: await get(`${path}/history`),
      search: (
        await Promise.all(
          ['cnry', 'victimSecretFunction', 'mend'].map((q) => get(`/api/repos/${registered.id}/search?q=${q}`)),
        )
      ).join('\n'),
      ...(issue.result?.branch == null ? {} : published(repo, issue.result.branch)),
    },
  };
}

async function accepted<T>(person: HttpSession, path: string, body: object): Promise<T> {
  const answer = await person.call<T>('POST', path, body);
  if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** The person's part: each guidance in its turn, then the approval, then the notes. */
async function decide(
  person: HttpSession,
  id: string,
  told: { readonly guidance: readonly string[]; readonly notes: readonly string[] },
): Promise<IssueWire[]> {
  const seen: IssueWire[] = [];
  for (const [index, guidance] of [...told.guidance, null].entries()) {
    const waiting = await gate(person, id, index + 1);
    if (waiting === null) return seen;
    seen.push(waiting);
    const decision = guidance === null ? { action: 'approve' } : { action: 'instruct', guidance };
    const answer = await person.call('POST', `/api/issues/${id}/approve`, { ...decision, revision: index + 1 });
    if (answer.status !== 200) throw new Error(`approve answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
  for (const text of told.notes) await person.call('POST', `/api/issues/${id}/messages`, { text });
  return seen;
}

/** Lets the change be published, where the person is asked; null when the issue ended without. */
async function confirm(person: HttpSession, id: string, repo: ScratchRepo): Promise<Evidence['atPublishGate']> {
  let stage: string | null = null;
  await person.events(id, (event) => {
    if (event.type !== 'issue.status' || event.data.to !== 'awaiting_approval') return false;
    stage = event.data.stage;
    return stage === 'publish';
  });
  if (stage !== 'publish') return null;
  const issue = await person.issue(id);
  const origin = originState(repo);
  const seen = { revision: issue.gate?.revision, head_commit: issue.gate?.head_commit };
  const answer = await person.call('POST', `/api/issues/${id}/approve`, { action: 'approve', ...seen });
  if (answer.status !== 200) throw new Error(`approve answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return { issue, origin };
}

/** Waits for the plan of a revision; null when the issue ended without. */
async function gate(person: HttpSession, id: string, revision: number): Promise<IssueWire | null> {
  let waits = false;
  await person.events(id, (event) => {
    if (event.type === 'review.requested' && event.data.revision === revision) waits = true;
    return waits && event.type === 'issue.status' && event.data.to === 'awaiting_approval';
  });
  return waits ? await person.issue(id) : null;
}

async function readStream(url: string, cookie: string): Promise<string> {
  const answer = await fetch(url, { headers: { cookie } });
  if (answer.status !== 200) throw new Error(`the stream answered ${answer.status}`);
  return await answer.text();
}

function eventsIn(stream: string): (IssueEvent | LiveEvent)[] {
  const events: (IssueEvent | LiveEvent)[] = [];
  const parser = createParser({ onEvent: ({ data }) => events.push(JSON.parse(data)) });
  parser.feed(stream);
  return events;
}

/** The branch as a fetch gets it. */
function published(repo: ScratchRepo, branch: string): Record<string, string> {
  return {
    'branch name': branch,
    commit: repo.git('cat-file', 'commit', branch),
    'file names': repo.git('ls-tree', '-r', '-z', '--name-only', branch),
    patch: repo.git('log', '-p', '--no-textconv', '--no-ext-diff', `main..${branch}`),
    refs: repo.git('for-each-ref'),
  };
}

function originState(repo: ScratchRepo): OriginState {
  return {
    refs: repo.git('for-each-ref', '--format=%(objectname) %(refname)'),
    files: digestOf(
      ...['value.txt', 'check.sh', 'untracked-secret.txt', '.git/config', '.git/HEAD', '.git/hooks', '.git/info'].map(
        (name) => `${repo.path}/${name}`,
      ),
    ),
  };
}
