import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { IssueEvent, IssueWire, LiveEvent } from '@sluice/core/issue';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeSampleRepo, sampleIssue } from '../../src/local/sample-repo.ts';
import { itConformsToOpenApi } from '../it-conforms-to-openapi.ts';
import { type ProxiedService, startBehindProxy } from '../proxied-service.ts';
import { openTerminal, type ServiceProcess, signUp, startServiceProcess, type Terminal } from '../terminal.ts';

// Usual way: apps/cli/test/remote-commands.test.ts

let terminal: Terminal;
let proxied: ProxiedService<ServiceProcess>;
let service: ServiceProcess;

beforeAll(async () => {
  terminal = await openTerminal();
  proxied = await startBehindProxy((itsUrl) => startServiceProcess(terminal, itsUrl));
  ({ service } = proxied);
  await signUp(terminal, service, 'ada@example.com');
  await terminal.sluice(['repos', 'add', await makeSampleRepo(terminal.home)]);
  writeFileSync(join(terminal.home, 'bug.md'), `# ${sampleIssue.title}\n\n${sampleIssue.body}`);
});

afterAll(async () => {
  await proxied?.[Symbol.asyncDispose]();
  terminal?.[Symbol.dispose]();
});

it('loses no event and repeats none when the server is killed and restarted during a watch', async () => {
  const { id } = await terminal.json<IssueWire>(['issues', 'create', '--repo', 'invoice', '--issue', 'bug.md']);
  const watching = await terminal.start(['issues', 'watch', id, '--json']);
  const stderr = text(watching.stderr as never);
  const events: (IssueEvent | LiveEvent)[] = [];
  let kills = 0;
  let rest = '';
  for await (const chunk of watching.stdout?.setEncoding('utf8') ?? []) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    events.push(...lines.map((line) => JSON.parse(line) as IssueEvent));
    const started = new Set(events.flatMap((event) => (event.type === 'stage.started' ? [event.data.stage] : [])));
    const isAtGate = events.some((event) => event.type === 'issue.status' && event.data.to === 'awaiting_approval');
    // Once during planning, once at the gate, and once during implementation.
    if (started.has('index') && kills === 0) await killAndRestart();
    if (isAtGate && kills === 1) {
      await killAndRestart();
      expect((await terminal.sluice(['issues', 'approve', id])).code).toBe(0);
    }
    if (started.has('implement') && kills === 2) await killAndRestart();
  }
  if (watching.exitCode === null) await once(watching, 'exit');
  expect(watching.exitCode, await stderr).toBe(0);
  expect(kills).toBe(3);
  const seqs = events.flatMap((event) => ('seq' in event ? [event.seq] : []));
  expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, index) => index + 1));
  expect(events.at(-1)).toMatchObject({ type: 'issue.status', data: { to: 'completed' } });
  expect(await stderr).toContain('Connection lost; reconnecting.');

  async function killAndRestart() {
    kills += 1;
    await service.kill();
    await service.restart();
  }
});

itConformsToOpenApi(() => proxied.proxy);
