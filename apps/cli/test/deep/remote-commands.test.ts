import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { IssueWire } from '@sluice/core/issue';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itConformsToOpenApi } from '../it-conforms-to-openapi.ts';
import { openRemoteScene, type RemoteScene, shortOf } from '../remote-scene.ts';

// Usual way: apps/cli/test/remote-commands.test.ts

let scene: RemoteScene;
let ada: RemoteScene['ada'];
let repo: string;

beforeAll(async () => {
  scene = await openRemoteScene();
  ({ ada, repo } = scene);
});

afterAll(() => scene?.[Symbol.asyncDispose]());

describe('issues', () => {
  it('end with 8 when rejected or cancelled, in every terminal that watches', async () => {
    for (const [end, status] of [
      ['reject', 'rejected'],
      ['cancel', 'cancelled'],
    ] as const) {
      const id = shortOf(await scene.create());
      await ada.sluice(['issues', 'watch', id, '--no-wait']);
      const watching = await ada.start(['issues', 'watch', id]);
      const watched = Promise.all([
        text(watching.stdout as never),
        text(watching.stderr as never),
        once(watching, 'exit'),
      ]);
      const ended = await ada.sluice(['issues', end, id, ...(end === 'cancel' ? ['--yes'] : [])]);
      expect(ended.code, ended.stderr).toBe(0);
      const [stdout, stderr, [code]] = await watched;
      expect(code, stderr).toBe(8);
      expect(stdout).toContain(`Ended as ${status}`);
    }
  });

  it('are watched to the end in one terminal while another one approves', async () => {
    const id = shortOf(await scene.create());
    const watching = await ada.start(['issues', 'watch', id]);
    const stdout = text(watching.stdout as never);
    let stderr = '';
    for await (const chunk of watching.stderr?.setEncoding('utf8') ?? []) {
      const asks = 'The plan is waiting for a decision.';
      const asked = stderr.includes(asks);
      stderr += chunk;
      if (!asked && stderr.includes(asks)) {
        expect((await ada.sluice(['issues', 'approve', id])).code).toBe(0);
      }
    }
    if (watching.exitCode === null) await once(watching, 'exit');
    expect(watching.exitCode, stderr).toBe(0);
    expect(await stdout).toMatch(/^Done\. /);
  });

  it('keep running when the watching terminal is interrupted, which prints how to return and exits with 130', async () => {
    const issue = await scene.create();
    const watching = await ada.start(['issues', 'watch', shortOf(issue)]);
    let stderr = '';
    for await (const chunk of watching.stderr?.setEncoding('utf8') ?? []) {
      stderr += chunk;
      if (stderr.includes('▸') && !watching.killed) watching.kill('SIGINT');
    }
    if (watching.exitCode === null) await once(watching, 'exit');
    expect(watching.exitCode).toBe(130);
    expect(stderr).toMatch(/Interrupted\. The issue keeps running\. Watch it with: sluice issues watch [0-9a-f]{8}\n$/);
    expect((await ada.sluice(['issues', 'cancel', issue.id, '--yes'])).code).toBe(0);
  });

  it('run here unless --server is given, whatever server is known', async () => {
    const run = ['run', '--repo', repo, '--issue', 'bug.md', '--yes', '--json'];
    const there = await ada.json<IssueWire>([...run.slice(0, -1), '--server']);
    expect(await ada.json(['issues', 'show', there.id])).toMatchObject({ status: 'completed' });
    const here = await ada.json<IssueWire>(run.slice(0, -1), { env: { SLUICE_URL: scene.service.url } });
    expect((await ada.sluice(['issues', 'show', here.id])).code).toBe(4);
    expect((await ada.sluice(['run', '--repo', repo, '--continue', '--embedded'])).code).toBe(4);
  });
});

itConformsToOpenApi(() => scene.proxy);
