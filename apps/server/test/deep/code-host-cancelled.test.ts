import type { RepoWire } from '@sluice/core/repo';
import type { FakeCodeHost } from '@sluice/fake-code-host';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  aCodeHost,
  approve,
  codehostEnvironment,
  HOSTED,
  importToGate,
  registerHosted,
  signInAt,
} from '../code-host-scene.ts';
import type { HttpSession } from '../http-session.ts';
import { fixingIssue } from '../scratch-repo.ts';
import { type ScratchServer, startScratchServer } from '../scratch-server.ts';

// Usual way: apps/server/test/cancel.test.ts

const LONG_MS = 300_000; // two pipelines on a busy machine

let host: FakeCodeHost;
let server: ScratchServer;
let ann: HttpSession;
let repo: RepoWire;

beforeAll(async () => {
  host = await aCodeHost();
  server = await startScratchServer({ ...codehostEnvironment(host), CODEHOST_POLL: '0' });
  ann = await signInAt(server.url, host, 'ann');
  repo = await registerHosted(ann);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await host[Symbol.asyncDispose]();
});

it.each([
  ['git-receive-pack', 0],
  ['pulls', 1],
] as const)(
  'ends as `cancelled` when cancelled during the answer to %s, with %i pull requests',
  async (last, pulls) => {
    const number = host.openIssue(HOSTED, { ...fixingIssue, by: 'ann' });
    const waiting = await importToGate(ann, repo, number);
    let isCancelled = false;
    const end = host.beforeAnswer(async ({ method, path }) => {
      if (isCancelled || method !== 'POST' || !path.endsWith(`/${last}`)) return;
      isCancelled = true;
      await ann.call('DELETE', `/api/issues/${waiting.id}`);
    });
    await approve(ann, waiting);
    const issue = await ann.reaches(waiting.id, 'cancelled');
    end();
    const branch = `sluice/${waiting.id.slice(-8)}`;
    const made = (await host.pulls(HOSTED)).filter(({ head }) => head.startsWith(branch));
    expect(issue).toMatchObject({ stage: 'publish', result: null, error: null });
    expect(made).toHaveLength(pulls);
    const state = pulls === 0 ? null : 'draft';
    const shown = async () => (await ann.issue(issue.id)).change_request_state;
    await expect.poll(shown).toBe(state);
    expect(host.comments(HOSTED, number)).toEqual([]);
    // The repository is free again.
    const next = host.openIssue(HOSTED, { ...fixingIssue, by: 'ann' });
    const again = await importToGate(ann, repo, next);
    await ann.call('DELETE', `/api/issues/${again.id}`);
  },
  LONG_MS,
);
