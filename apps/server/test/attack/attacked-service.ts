import { randomInt } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { IssueWire } from '@sluice/core/issue';
import type { RepoWire } from '@sluice/core/repo';
import { type HttpSession, signUp } from '../http-session.ts';
import { type ModelServer, startModelServer } from '../model-server.ts';
import { makeScratchRepo, type ScratchRepo } from '../scratch-repo.ts';
import { scratchFolder } from '../scratch-server.ts';
import { type AttackedHost, attackedHost } from './attacked-host.ts';
import { type Canaries, plantCanaries } from './canaries.ts';
import { type LoggedProcess, startLogged } from './logged-process.ts';
import { type Obeyed, obedientModel } from './obedient-model.ts';
import type { Surroundings } from './surroundings.ts';

const PASSWORD = 'a long enough passphrase'; // of `signUp`

/** The service with secrets in every place, a person whose issue waits at its gate, and a model that obeys anybody. */
export interface AttackedService extends AsyncDisposable {
  readonly service: LoggedProcess;
  readonly model: ModelServer;
  readonly host: AttackedHost;
  readonly canaries: Canaries;
  readonly obeyed: Obeyed;
  readonly victim: HttpSession;
  readonly victimOrigin: ScratchRepo;
  readonly attackers: readonly HttpSession[];
  readonly cookies: readonly string[];
  readonly at: Surroundings;
  /** Has the other person work on a repository as well, up to a plan that is refused. */
  shares(repo: ScratchRepo): Promise<void>;
}

export async function attackedService(options: { attackers: number }): Promise<AttackedService> {
  const canaries = plantCanaries();
  const obeyed: Obeyed = new Map();
  const host = await attackedHost(canaries);
  const model = await startModelServer(obedientModel(obeyed));
  const dataDir = scratchFolder();
  const environment = model.environment('anthropic');
  const service = await startLogged({
    ...environment,
    DATA_DIR: dataDir,
    HOME: host.home,
    SESSION_SECRET: canaries.of('SESSION_SECRET'),
    ANTHROPIC_API_KEY: canaries.of('ANTHROPIC_API_KEY'),
    OPENAI_API_KEY: canaries.of('OPENAI_API_KEY'),
    MODEL_API_KEY: canaries.of('MODEL_API_KEY'),
    UNRELATED_TOKEN: canaries.of('environment'),
    MAX_ACTIVE_PIPELINES: '30',
    REVIEW_ROUNDS: '1',
    TEST_ROUNDS: '1',
    ISSUE_BUDGET_TOKENS: '100000000',
  });
  adoptSecrets(canaries, dataDir);
  const victim = await signUp(service.url, `${canaries.of('e-mail of another person')}@example.com`);
  const victimOrigin = makeScratchRepo(
    {
      'value.txt': `${canaries.of("another tenant's file")}\n`,
      'ledger.js': `export function victimSecretFunction() {\n  return '${canaries.of("another tenant's code")}';\n}\n`,
    },
    'victim',
  );
  const { repo, issue } = await waitingIssue(victim, { path: victimOrigin.path, canaries });
  adoptHashes(canaries, dataDir);
  const attackers: HttpSession[] = [];
  const cookies: string[] = [];
  for (let number = 0; number < options.attackers; number++) {
    const email = `attacker${number}-${process.pid}@example.com`;
    attackers.push(await signUp(service.url, email));
    cookies.push(await cookieOf(service.url, email));
  }
  const at: Surroundings = {
    url: service.url,
    modelUrl: environment.ANTHROPIC_BASE_URL?.replace(/\/v1$/, '') ?? '',
    cookie: cookies[0] ?? '',
    dataDir,
    servicePid: service.pid,
    home: host.home,
    hostRoot: host.root,
    proof: host.proof,
    port: host.port,
    address: host.address,
    socket: host.socket,
    abstractSocket: host.abstractSocket,
    victimIssue: issue.id,
    victimRepo: repo.id,
    victimTree: join(dataDir, 'workspaces/trees', issue.id),
    victimClone: join(dataDir, 'workspaces/caches', `${repo.id}.git`),
    victimOrigin: victimOrigin.path,
    marker: String(randomInt(1e9, 1e12)),
  };
  return {
    service,
    model,
    host,
    canaries,
    obeyed,
    victim,
    victimOrigin,
    attackers,
    cookies,
    at,
    async shares({ path }) {
      const { issue } = await waitingIssue(victim, { path, canaries });
      await victim.call('POST', `/api/issues/${issue.id}/approve`, { action: 'reject' });
    },
    [Symbol.asyncDispose]: async () => {
      await service.kill();
      await model[Symbol.asyncDispose]();
      await host[Symbol.asyncDispose]();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** An issue with a secret in each of its texts, whose plan waits for its person. */
async function waitingIssue(person: HttpSession, { path, canaries }: { path: string; canaries: Canaries }) {
  const repo = await person.call<RepoWire>('POST', '/api/repos', {
    url: path,
    instructions: canaries.of("another person's instructions"),
  });
  const issue = await person.call<IssueWire>('POST', '/api/issues', {
    repo_id: repo.body.id,
    title: canaries.of("another person's title"),
    body: canaries.of("another person's issue"),
    labels: [canaries.of("another person's label")],
  });
  return { repo: repo.body, issue: await person.reaches(issue.body.id, 'awaiting_approval') };
}

/** What the service made at its first start. */
function adoptSecrets(canaries: Canaries, dataDir: string): void {
  const made = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'));
  canaries.adopt('secrets.json: session_secret', made.session_secret);
  canaries.adopt('secrets.json: encryption_keys', made.encryption_keys[0].key);
}

function adoptHashes(canaries: Canaries, dataDir: string): void {
  const database = new DatabaseSync(join(dataDir, 'sluice.db'), { readOnly: true });
  try {
    const [user] = database.prepare('select password_hash from credentials').all();
    canaries.adopt("another person's password hash", String(user?.password_hash));
  } finally {
    database.close();
  }
}

async function cookieOf(url: string, email: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}
