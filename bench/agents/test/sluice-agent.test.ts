import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import type { Trial } from '../src/agent/bench-agent.ts';
import { openSandbox } from '../src/agent/open-sandbox.ts';
import { sluiceAgent } from '../src/agent/sluice-agent.ts';
import { makeTaskRepo } from '../src/repo/task-repo.ts';

const root = mkdtempSync(join(tmpdir(), 'sluice-agent-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

it("keeps the service's data in the folder of the trial, which is cleared when a killed run goes on", async () => {
  const folder = mkdtempSync(join(root, 'trial-'));
  const files = fileURLToPath(new URL('../fixtures/tasks/slug-accents/environment/repo/', import.meta.url));
  let during: string[] = [];
  const trial: Trial = {
    get instruction(): string {
      during = readdirSync(join(folder, 'data'));
      throw new Error('enough seen');
    },
    repo: makeTaskRepo(files, join(folder, 'base')),
    folder,
    setupCommand: null,
    testCommand: null,
    allowHosts: [],
    model: null,
    sandbox: openSandbox(folder),
    signal: new AbortController().signal,
  };
  await expect(sluiceAgent().work(trial)).rejects.toThrow('enough seen');
  expect(during).toContain('workspaces');
  expect(existsSync(join(folder, 'data'))).toBe(false);
});
