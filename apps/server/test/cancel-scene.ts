import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IssueWire } from '@sluice/core/issue';
import type { RepoWire } from '@sluice/core/repo';
import { until } from '@sluice/testing';
import { expect } from 'vitest';
import { anIssue } from './an-issue.ts';
import { type HttpSession, signUp } from './http-session.ts';
import { fixingIssue, makeBuggyRepo } from './scratch-repo.ts';
import { startScratchServer } from './scratch-server.ts';

/** The name belongs to this run alone: another run may go on beside it. */
export const MARKER = `sluice-cancel-${randomUUID()}`;

/** Processes on this host whose command line holds the marker. */
export function markedProcesses(marker: string): string[] {
  return readdirSync('/proc').filter((entry) => {
    if (!/^\d+$/.test(entry) || Number(entry) === process.pid) return false;
    try {
      return readFileSync(`/proc/${entry}/cmdline`, 'utf8').includes(marker);
    } catch {
      return false; // it ended while we looked
    }
  });
}

export async function expectCancelledCleanly(
  person: HttpSession,
  run: { id: string; repoId: string; dataDir: string; marker: string },
) {
  const answer = await person.call('DELETE', `/api/issues/${run.id}`);
  expect(answer.status).toBe(204);
  expect((await person.issue(run.id)).status).toBe('cancelled');
  await until('none of its processes is left', () => markedProcesses(run.marker).length === 0);
  await until('its tree is gone', () => !treeExists(run.dataDir, run.id));
  expect((await person.call<RepoWire>('GET', `/api/repos/${run.repoId}`)).body.active_issue_id).toBeNull();
  const again = await person.call<IssueWire>('POST', '/api/issues', { repo_id: run.repoId, ...fixingIssue });
  expect(again.status).toBe(201);
  expect((await person.call('DELETE', `/api/issues/${again.body.id}`)).status).toBe(204);
  expect((await person.call('DELETE', `/api/issues/${run.id}`)).status).toBe(409);
}

/** Whether the issue's working tree is left below the data folder. */
export function treeExists(dataDir: string, id: string): boolean {
  return existsSync(join(dataDir, 'workspaces', 'trees', id));
}

/** A repository whose setup or test blocks, stubbornly, while it leaves children behind. */
function blockingScript(marker: string): string {
  return `trap '' TERM INT\n(setsid sh -c 'exec -a ${marker} sleep 600' &) 2>/dev/null\nsh -c 'trap "" TERM; : ${marker}; while :; do sleep 1; done'\n`;
}

/** What blocks the tests at the base blocks after the approval. */
export const settings = { test_before_gate: false };

export async function started(environment: Record<string, string>, repoFields: Record<string, string>, marker: string) {
  const server = await startScratchServer(environment);
  const person = await signUp(server.url);
  const repo = makeBuggyRepo({ testScript: blockingScript(marker) });
  const { id, repoId } = await anIssue(person, { repo, fields: { settings, ...repoFields } });
  return { server, person, id, repoId, marker };
}
