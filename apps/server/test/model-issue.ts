import type { IssueWire } from '@sluice/core/issue';
import { expect } from 'vitest';
import { anIssue } from './an-issue.ts';
import { type HttpSession, signUp } from './http-session.ts';
import { type ModelProvider, type ModelScript, type ModelServer, startModelServer } from './model-server.ts';
import type { ScratchRepo } from './scratch-repo.ts';
import { type ScratchServer, startScratchServer } from './scratch-server.ts';

/** An issue that a scripted model works on, with all that is around it. */
export interface ModelIssue extends AsyncDisposable {
  readonly models: ModelServer;
  readonly server: ScratchServer;
  readonly person: HttpSession;
  readonly repoId: string;
  readonly id: string;
  /** Waits for the plan of this revision and approves it. */
  approve(revision?: number): Promise<void>;
}

/** Starts a model server, the service that works with it, and an issue. */
export async function beginModelIssue(work: {
  readonly script: ModelScript;
  readonly repo: ScratchRepo;
  readonly issue: { readonly title: string; readonly body: string };
  readonly provider?: ModelProvider;
  readonly environment?: Record<string, string> | ((models: ModelServer) => Record<string, string>);
}): Promise<ModelIssue> {
  const { script, repo, issue, provider = 'anthropic', environment = {} } = work;
  await using opened = new AsyncDisposableStack();
  const models = opened.use(await startModelServer(script));
  const own = typeof environment === 'function' ? environment(models) : environment;
  const server = opened.use(await startScratchServer({ ...models.environment(provider), ...own }));
  const person = await signUp(server.url);
  const { id, repoId } = await anIssue(person, { repo, issue });
  const kept = opened.move();
  return {
    models,
    server,
    person,
    repoId,
    id,
    async approve(revision = 1) {
      await atGate(person, id, revision);
      const decided = await person.call('POST', `/api/issues/${id}/approve`, { action: 'approve', revision });
      expect(decided.status, JSON.stringify(decided.body)).toBe(200);
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Waits until a person may decide the plan of this revision. */
export async function atGate(person: HttpSession, id: string, revision: number): Promise<IssueWire> {
  let isMade = false;
  const seen = await person.events(id, (event) => {
    if (event.type === 'plan.created') isMade = event.data.plan.revision === revision;
    return isMade && event.type === 'issue.status' && event.data.to === 'awaiting_approval';
  });
  const issue = await person.issue(id);
  if (issue.gate?.revision !== revision) throw new Error(`no gate: ${JSON.stringify(issue)} ${seen.length}`);
  return issue;
}
