import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IssueWire } from '@sluice/core/issue';
import type { RepoWire } from '@sluice/core/repo';
import { builtProgram } from '@sluice/testing';
import { createParser } from 'eventsource-parser';
import { expect, it } from 'vitest';
import { type HttpSession, signUp } from '../http-session.ts';
import { fixingIssue, makeBuggyRepo, type ScratchRepo } from '../scratch-repo.ts';
import { startProcess } from '../service-process.ts';

const approve = { action: 'approve' };

/** Runs the real command with nothing in its environment but what is given. */
async function sluice(args: readonly string[], env: Record<string, string>) {
  const command = await builtProgram('sluice');
  return await new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(
      process.execPath,
      [command, ...args],
      { env: { PATH: process.env.PATH, ...env } },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

interface StreamedEvent {
  readonly type: string;
  readonly issue_id?: string;
  readonly data?: { readonly to?: string };
}

/** The first event of a stream, or the first one `where` that holds. */
async function firstOn(
  person: HttpSession,
  path: string,
  { lastEventId, where = () => true }: { lastEventId?: string; where?: (event: StreamedEvent) => boolean },
) {
  const cookie = [...person.cookies()].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { cookie, ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) };
  const response = await fetch(`${person.url}${path}`, { headers });
  const found: { id: string; event: string; data: StreamedEvent }[] = [];
  const parser = createParser({
    onEvent: ({ id = '', event = '', data }) => found.push({ id, event, data: JSON.parse(data) }),
  });
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    const first = found.find(({ data }) => where(data));
    if (first !== undefined) return first;
  }
  throw new Error(`The stream ${path} ended before that event.`);
}

async function createIssue(person: HttpSession, repo: ScratchRepo): Promise<string> {
  const registered = await person.call<RepoWire>('POST', '/api/repos', { url: repo.path });
  const created = await person.call<IssueWire>('POST', '/api/issues', { repo_id: registered.body.id, ...fixingIssue });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  await person.reaches(created.body.id, 'awaiting_approval');
  return created.body.id;
}

it('restores issues as they were during the backup, and continues them at a gate or within a stage', async () => {
  const slow = `sleep 3; grep -qx fixed value.txt || { echo 'not ok 1 - fixed'; exit 1; }; echo 'ok 1 - fixed'\n`;
  const repos = { waiting: makeBuggyRepo(), running: makeBuggyRepo({ testScript: slow }), later: makeBuggyRepo() };
  const place = mkdtempSync(join(tmpdir(), 'sluice-backup-'));
  const files = Array.from({ length: 2 }, (_none, index) => join(place, `${index}.tar.gz`));

  const first = await startProcess({});
  const person = await signUp(first.url);
  const waiting = await createIssue(person, repos.waiting);
  const running = await createIssue(person, repos.running);
  await person.call('POST', `/api/issues/${running}/approve`, approve);
  await person.events(running, ({ type }) => type === 'command.started');
  const environment = { DATA_DIR: first.dataDir, HOME: first.dataDir };
  for (const file of files) {
    const saved = await sluice(['backup', file], environment);
    expect(saved, saved.stderr).toMatchObject({ code: 0 });
    expect(saved.stderr).toMatch(/SECRET: the file holds SESSION_SECRET and ENCRYPTION_KEYS/);
    expect(saved.stdout).toMatch(/\nissues +2\n/);
    const { session_secret } = JSON.parse(readFileSync(join(first.dataDir, 'secrets.json'), 'utf8')) as {
      session_secret: string;
    };
    expect(`${saved.stdout}${saved.stderr}`).not.toContain(session_secret);
  }
  const newer = await createIssue(person, repos.later); // after the last backup
  const atGateOf = (id: string) => (event: StreamedEvent) =>
    event.issue_id === id && event.type === 'issue.status' && event.data?.to === 'awaiting_approval';
  const pathOf = (id: string) => `/api/issues/${id}/events`;
  const lastIds = {
    all: (await firstOn(person, '/api/events?after=0', { where: atGateOf(newer) })).id,
    one: (await firstOn(person, pathOf(waiting), { where: atGateOf(waiting) })).id,
  };
  await first.kill();

  const refused = await sluice(['restore', files[1] ?? ''], environment);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toMatch(
    /Replace the installation in .*\? There is no terminal to ask at: pass --yes to confirm\.\n$/,
  );
  const restored = await sluice(['restore', '--json', '--yes', files[1] ?? ''], environment);
  expect(restored, restored.stderr).toMatchObject({ code: 0 });
  expect(JSON.parse(restored.stdout)).toMatchObject({ data_dir: first.dataDir, format: 1 });
  expect(restored.stderr).toMatch(/The previous installation is in .*before-restore-/);

  const second = await startProcess({ DATA_DIR: first.dataDir });
  try {
    const there = person.at(second.url);
    expect((await there.call('GET', `/api/issues/${newer}`)).status).toBe(404);
    expect((await there.issue(waiting)).status).toBe('awaiting_approval');
    // The numbers of after the backup are given again: who resumes with one is not to miss what gets them now.
    expect(await firstOn(there, '/api/events', { lastEventId: lastIds.all })).toMatchObject({ event: 'stream.opened' });
    const begun = await firstOn(there, pathOf(waiting), { lastEventId: lastIds.one });
    expect(begun).toMatchObject({ event: 'issue.created', data: { seq: 1 } });
    expect((await there.call('POST', `/api/issues/${waiting}/approve`, approve)).status).toBe(200);
    for (const [id, repo] of [
      [waiting, repos.waiting],
      [running, repos.running],
    ] as const) {
      const { result } = await there.reaches(id, 'completed');
      expect(repo.git('branch', '--list', 'sluice/*', '--format=%(refname:short)')).toBe(result?.branch);
      expect(repo.git('show', `${result?.branch}:value.txt`)).toBe('fixed');
      const numbers = (await there.events(id)).flatMap((event) => ('seq' in event ? [event.seq] : []));
      expect(numbers).toEqual(numbers.map((_number, index) => index + 1));
    }
  } finally {
    await second.stop();
  }
});
