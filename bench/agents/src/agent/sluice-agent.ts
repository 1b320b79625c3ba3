import { randomBytes } from 'node:crypto';
import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createSluiceClient, decideIssue, type SluiceClient, watchIssue } from '@sluice/client';
import { rateLimits } from '@sluice/core/request';
import { loadConfig, startServer } from '@sluice/server';
import { makeTaskRepo } from '../repo/task-repo.ts';
import type { AgentOutcome, BenchAgent, Trial } from './bench-agent.ts';
import { promptHash } from './prompt-hash.ts';

const MAX_TITLE_LENGTH = 200;

// What the machine's configuration says of another server must not reach this one.
const SERVER: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(rateLimits).map((name) => [`LIMIT_${name.toUpperCase()}`, '0'])),
  ...Object.fromEntries(
    [
      'PUBLIC_URL',
      'TRUST_PROXY',
      'CORS_ORIGINS',
      'DATABASE_URL',
      'REDIS_URL',
      'CHROMA_URL',
      'ROLE',
      'METRICS_PORT',
    ].map((name) => [name, '']),
  ),
  HOST: '127.0.0.1',
  PORT: '0',
  ALLOW_LOCAL_REPOS: 'on',
  LOG_LEVEL: 'warn',
};

/** The whole service in this process, used through its public client by a person who approves everything. */
export function sluiceAgent(): BenchAgent {
  return {
    name: 'sluice',
    usesModel: true,
    promptHash: promptHash(),
    async work(trial): Promise<AgentOutcome> {
      // In the trial's folder, which the next run clears if this process is killed.
      const dataDir = join(trial.folder, 'data');
      const config = loadConfig({
        dotEnv: false,
        overrides: {
          ...SERVER,
          ...trial.model?.environment,
          DATA_DIR: dataDir,
          SETUP_ALLOW_HOSTS: trial.allowHosts.join(','),
        },
      });
      try {
        const server = await startServer(config, { logFile: join(trial.folder, 'sluice.log') });
        try {
          return await workOn(createSluiceClient({ url: server.url }), trial);
        } finally {
          await server.close();
        }
      } finally {
        rmSync(dataDir, { recursive: true, force: true });
      }
    },
  };
}

async function workOn(client: SluiceClient, trial: Trial): Promise<AgentOutcome> {
  const { signal, repo } = trial;
  await client.auth.register.mutate({ email: 'bench@localhost.test', password: randomBytes(24).toString('base64url') });
  // The service publishes into the repository that it is given, so it gets one of its own.
  const own = makeTaskRepo(repo.folder, join(trial.folder, 'repo'));
  const { id: repoId } = await client.repos.create.mutate({
    url: own.folder,
    setup_command: trial.setupCommand,
    test_command: trial.testCommand,
    settings: { setup_network: trial.allowHosts.length > 0 },
  });
  const { id } = await client.issues.create.mutate({ repo_id: repoId, ...issueOf(trial.instruction) });
  const log = (event: object) => appendFileSync(join(trial.folder, 'trajectory.jsonl'), `${JSON.stringify(event)}\n`);
  for await (const event of watchIssue(client, id, { signal })) {
    log(event);
    if (event.type !== 'issue.status' || !/^awaiting_/.test(event.data.to)) continue;
    const issue = await client.issues.get.query({ id });
    if (issue.gate !== null) await decideIssue(client, issue, { action: 'approve' });
  }
  const issue = await client.issues.get.query({ id });
  const costUsd = issue.usage.cost_usd;
  const branch = issue.result?.branch ?? null;
  if (branch === null)
    return { ended: 'gave_up', detail: issue.error?.detail ?? `It ended as ${issue.status}.`, patch: '', costUsd };
  const patch = own.git('diff', '--binary', own.base, branch);
  return { ended: 'done', detail: issue.result?.summary ?? '', patch, costUsd };
}

/** The first line as the title and all of it as the text, as people write issues. */
function issueOf(instruction: string): { readonly title: string; readonly body: string } {
  const [first = 'Change', ...rest] = instruction.trim().split('\n');
  const title = first.replace(/^#+\s*/, '').slice(0, MAX_TITLE_LENGTH);
  const body = rest.join('\n').trim();
  return { title, body: body === '' ? title : body };
}
