import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { IssueWire } from '@sluice/core/issue';
import {
  type Conversation,
  type RunningWireServer,
  startWireServer,
  type Turn,
  type WireScript,
  wireServers,
} from '@sluice/testing';
import { anIssue } from './an-issue.ts';
import { signUp } from './http-session.ts';
import { makeBuggyRepo } from './scratch-repo.ts';
import { newDataFolder } from './scratch-server.ts';
import { startProcess } from './service-process.ts';

/** A vendor's server, and the environment in which the service works with it. */
export interface VendorSetup {
  readonly server: string;
  /** The word before the slash of the model's name. */
  readonly provider: string;
  /** The variables of the key and of the address. */
  readonly variables: readonly [key: string, url: string];
  readonly path: string;
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** What a whole issue at a vendor's server came to. */
export interface VendorIssue {
  readonly issue: IssueWire;
  /** The file that it changed, on its branch. */
  readonly value: string;
  readonly server: Pick<RunningWireServer, 'requests' | 'thoughts'>;
  /** The bodies of the request at which the process was killed: the first one and its repetition. */
  readonly killed: readonly string[];
}

const KEY = 'canary-key-of-the-vendor-0001';
const KILLED_AT_ANSWER = 2;
const thoughtOf = (what: string) => `I think of "${what}"\n\tand of 🦀 ümläuts. `;
const call = (name: string, input: object): Turn => ({ calls: [{ name, input }] });

const isCoder = ({ system }: Conversation) => system.includes('You carry out');

/** The next answer of a model that fixes the value, from what the request brings back. */
function nextTurn(conversation: Conversation): Turn {
  const { system, answers, tools } = conversation;
  if (system.includes('You plan')) {
    return answers === 0 ? call('read_file', { path: 'value.txt' }) : call('submit_plan', plan);
  }
  if (system.includes('You review')) return call('submit_review', review);
  if (!isCoder(conversation)) throw new Error(`Unknown instructions: ${system.slice(0, 200)}`);
  const patch = '*** Update File: value.txt\n-broken\n+fixed';
  const edit = tools.includes('apply_patch')
    ? call('apply_patch', { patch })
    : call('edit_file', { path: 'value.txt', old_text: 'broken', new_text: 'fixed' });
  const coder = [call('read_file', { path: 'check.sh' }), call('read_file', { path: 'value.txt' }), edit];
  return coder[answers] ?? call('finish', { outcome: 'done', summary: 'Fixed.', not_run_reason: 'The service tests.' });
}

const plan = {
  summary: 'Change the value.',
  steps: [{ title: 'Change it', detail: 'Change value.txt.', files: ['value.txt'] }],
  acceptance_criteria: ['The test passes'],
  risks: [],
  test_strategy: 'The test that is there.',
};
const review = { decision: 'approve', summary: 'I have looked at the change.', findings: [] };

/**
 * Takes an issue to its branch at a vendor's server. In the middle of the coder's work, while its model answers, the
 * process is killed; another one goes on over the same data.
 */
export async function issueAtVendor({
  server: name,
  provider,
  variables,
  path,
  settings,
}: VendorSetup): Promise<VendorIssue> {
  const description = wireServers.find((one) => one.name === name);
  if (description === undefined) throw new Error(`There is no server ${name}.`);
  let kill: (() => Promise<void>) | null = null;
  const script: WireScript = {
    key: KEY,
    async answer(conversation, number) {
      if (isCoder(conversation) && conversation.answers === KILLED_AT_ANSWER) {
        await kill?.();
        kill = null;
      }
      return { ...nextTurn(conversation), thought: thoughtOf(`${name} ${number}`) };
    },
  };
  await using server = await startWireServer(description, script);
  const repo = makeBuggyRepo();
  const model = `${provider}/${description.model}`;
  const dataDir = await newDataFolder({});
  const settingsFile = join(dataDir, 'models.json');
  const facts = { context_tokens: 200_000, price: { input: 1, output: 2 } };
  writeFileSync(settingsFile, JSON.stringify({ [model]: { ...facts, ...settings } }));
  const [keyVariable, urlVariable] = variables;
  const environment = {
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    MODEL: model,
    MODEL_SETTINGS: settingsFile,
    [keyVariable]: KEY,
    [urlVariable]: `${server.origin}${path}`,
  };
  let process = await startProcess(environment);
  try {
    const person = await signUp(process.url);
    const { id } = await anIssue(person, { repo, issue: { title: 'The value is broken', body: 'The check says so.' } });
    await person.reaches(id, 'awaiting_approval');
    kill = () => process.kill();
    await person.call('POST', `/api/issues/${id}/approve`, { action: 'approve' });
    await process.ended;
    process = await startProcess(environment);
    const issue = await person.at(process.url).reaches(id, 'completed');
    const { requests, thoughts } = server;
    const killed = requests
      .map(({ body }) => ({ body, conversation: description.dialect.conversation(body) }))
      .filter(({ conversation }) => isCoder(conversation) && conversation.answers === KILLED_AT_ANSWER)
      .map(({ body }) => JSON.stringify(body));
    return {
      issue,
      value: repo.git('show', `${issue.result?.branch}:value.txt`),
      server: { requests, thoughts },
      killed,
    };
  } finally {
    await process.kill();
    rmSync(dataDir, { recursive: true, force: true });
    rmSync(dirname(repo.path), { recursive: true, force: true });
  }
}
