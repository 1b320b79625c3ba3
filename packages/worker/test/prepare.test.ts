import { AppError } from '@sluice/core/error';
import { repoSettingsSchema } from '@sluice/core/repo';
import { until } from '@sluice/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { plainProject, testOutput } from './fake-sandbox.ts';
import { openWorld, type World } from './world.ts';

describe('the preparation of a working tree', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world[Symbol.asyncDispose]());

  const detecting = (setup: string | null) => ({
    commands: {
      detect: async () => ({ setup, test: 'npm test' }),
      ...plainProject,
      readTests: async () => testOutput([]),
    },
  });
  const network = repoSettingsSchema.parse({ setup_network: true });

  it('skips a setup that was only detected while the network is off, with a note', async () => {
    const { sandbox } = await world.startWorker({ deps: detecting('npm ci') });
    const { id } = await world.newIssue();
    const issue = await world.untilStatus(id, 'awaiting_approval');
    expect(sandbox.runs.map(({ command }) => command)).toEqual(['npm test']);
    expect(issue.pipeline.prepared).toMatchObject({ setup_command: null, test_command: 'npm test' });
    expect((await world.said(id))[0]).toMatch(
      /`npm ci` needs the network.*`--setup-network` \(`settings.setup_network`\)/,
    );
  });

  it('runs a detected setup with the allowed hosts where the network is on', async () => {
    const { sandbox } = await world.startWorker({
      deps: detecting('npm ci'),
      commands: { 'npm ci': () => ({ exitCode: 0 }) },
    });
    const { id } = await world.newIssue({ settings: network });
    const issue = await world.untilStatus(id, 'awaiting_approval');
    expect(sandbox.runs).toEqual([
      { command: 'npm ci', allowHosts: ['registry.example.test'] },
      { command: 'npm test', allowHosts: [] },
    ]);
    expect(issue.pipeline.prepared?.setup_command).toBe('npm ci');
  });

  it("runs the repository's own setup always, and without network unless it is on", async () => {
    const { sandbox } = await world.startWorker({
      deps: detecting('npm ci'),
      commands: { './setup': () => ({}), './check': () => ({}) },
    });
    const { id } = await world.newIssue({ setupCommand: './setup', testCommand: './check' });
    const issue = await world.untilStatus(id, 'awaiting_approval');
    expect(sandbox.runs).toEqual([
      { command: './setup', allowHosts: [] },
      { command: './check', allowHosts: [] },
    ]);
    expect(issue.pipeline.prepared).toMatchObject({ setup_command: './setup', test_command: './check' });
  });

  it('reverts changes of a setup to files under version control, with a note', async () => {
    await world.startWorker({
      deps: detecting('npm install'),
      commands: {
        'npm install': ({ files }) => {
          files.set('package-lock.json', 'rewritten');
          files.set('src/sum.js', 'patched');
          return {};
        },
      },
    });
    const { id } = await world.newIssue({ settings: network });
    await world.untilStatus(id, 'awaiting_approval');
    expect(Object.fromEntries(world.host.trees.get(id) ?? [])).toEqual({ 'src/sum.js': 'broken' });
    const said = (await world.events(id)).flatMap((event) => (event.type === 'agent.message' ? [event.data.text] : []));
    expect(said[0]).toContain('(2: package-lock.json, src/sum.js). They were put back');
  });

  it('puts back also what a setup left that could never become part of a change', async () => {
    const { prepare } = world.host.workspaces;
    await world.startWorker({
      deps: {
        ...detecting('npm install'),
        workspaces: {
          ...world.host.workspaces,
          prepare: async (request) => ({
            ...(await prepare(request)),
            diff: async () => {
              throw new AppError('workspace_unsafe', { detail: 'There are 30000 new files.' });
            },
          }),
        },
      },
      commands: {
        'npm install': ({ files }) => {
          files.set('vendor/a', 'one of many');
          return {};
        },
      },
    });
    const { id } = await world.newIssue({ settings: network });
    await world.untilStatus(id, 'awaiting_approval');
    expect([...(world.host.trees.get(id)?.keys() ?? [])]).toEqual(['src/sum.js']);
    const said = (await world.events(id)).flatMap((event) => (event.type === 'agent.message' ? [event.data.text] : []));
    expect(said[0]).toContain('There are 30000 new files.');
  });

  it('takes an empty command as none', async () => {
    const { sandbox } = await world.startWorker({ deps: detecting('npm ci') });
    const { id } = await world.newIssue({ setupCommand: '', testCommand: ' ', settings: network });
    const issue = await world.untilStatus(id, 'awaiting_approval');
    expect(sandbox.runs).toEqual([]);
    expect(issue.pipeline.prepared).toMatchObject({ setup_command: null, test_command: null });
  });

  it('fails with the first and the last lines of a setup that failed, and what helps', async () => {
    await world.startWorker({
      deps: detecting('npm ci'),
      commands: {
        'npm ci': () => ({ exitCode: 3, output: `EUSAGE not in sync\n${'noise\n'.repeat(5000)}no such package\n` }),
      },
    });
    const { id } = await world.newIssue({ settings: network });
    const failed = await world.untilStatus(id, 'failed');
    expect(failed.error?.stage).toBe('prepare');
    expect(failed.error?.detail).toMatch(
      /^The setup command `npm ci` ended with exit code 3\. .*`--setup`.*\nEUSAGE not in/,
    );
    expect(failed.error?.detail).toContain('\n[4982 lines left out: the log of the issue has them]\n');
    expect(failed.error?.detail).toMatch(/no such package$/);
    expect(failed.error?.detail.length).toBeLessThan(2200);
  });

  it('reports a host that a setup may not reach, while the setup runs and in the reason of its failure', async () => {
    let finish: () => void = () => undefined;
    await world.startWorker({
      deps: detecting('npm ci'),
      commands: {
        'npm ci': async ({ onRefused }) => {
          onRefused?.('registry.example.test:443: 203.0.113.80 is not a public address');
          await new Promise<void>((resolve) => {
            finish = resolve;
          });
          return { exitCode: null, endedBy: 'refused', output: 'npm http fetch attempt 1 failed\n' };
        },
      },
    });
    const { id } = await world.newIssue({ settings: network });
    const may = '`npm ci` may not reach registry.example.test:443: 203.0.113.80 is not a public address.';
    await until('it is reported', async () => (await world.said(id)).includes(may));
    expect(world.logged).toContainEqual(expect.objectContaining({ message: 'the sandbox refused a host' }));
    finish();
    expect((await world.untilStatus(id, 'failed')).error?.detail).toBe(
      [
        'The setup command `npm ci` was ended, because it only waited for hosts that were refused. Refused: registry.example.test:443: 203.0.113.80 is not a public address. The command is set with `--setup` (`setup_command`; empty: none).',
        'npm http fetch attempt 1 failed',
      ].join('\n'),
    );
  });

  it('names ten refused hosts of a setup that asks for very many', async () => {
    await world.startWorker({
      deps: detecting('npm ci'),
      commands: {
        'npm ci': ({ onRefused }) => {
          for (let host = 1; host <= 40; host += 1) onRefused?.(`h${host}.test: it is not in SETUP_ALLOW_HOSTS`);
          return { exitCode: 1 };
        },
      },
    });
    const { id } = await world.newIssue({ settings: network });
    const { error } = await world.untilStatus(id, 'failed');
    expect(error?.detail.match(/h\d+\.test/g)).toHaveLength(10);
    expect((await world.said(id)).filter((text) => text.includes('may not reach'))).toHaveLength(10);
  });

  it('names the limit that ended a setup', async () => {
    await world.startWorker({
      deps: detecting('npm ci'),
      commands: { 'npm ci': () => ({ exitCode: null, endedBy: 'timeout' }) },
    });
    const { id } = await world.newIssue({ settings: network });
    expect((await world.untilStatus(id, 'failed')).error?.detail).toContain('`npm ci` ran out of time');
  });

  it('keeps the output of a command as its log, and shows it while it comes', async () => {
    let finish: () => void = () => undefined;
    await world.startWorker({
      deps: detecting('npm ci'),
      commands: {
        'npm ci': async ({ onOutput }) => {
          onOutput?.('stderr', 'added 12 packages\n');
          await new Promise<void>((resolve) => {
            finish = resolve;
          });
          return {};
        },
      },
    });
    const { id } = await world.newIssue({ settings: network });
    await until('it is shown live', () => world.signals.heardLive.length > 0);
    await until('it is in the log', async () => (await world.runs.log(id, { after: 0, limit: 10 })).length > 0);
    finish();
    await world.untilStatus(id, 'awaiting_approval');
    expect(world.signals.heardLive[0]).toMatchObject({
      type: 'command.output',
      issue_id: id,
      data: { command: 'npm ci', stream: 'stderr', text: 'added 12 packages\n' },
    });
    expect((await world.runs.log(id, { after: 0, limit: 10 }))[0]).toMatchObject({
      command: 'npm ci',
      stream: 'stderr',
      text: 'added 12 packages\n',
    });
  });

  it('warns in the plan that commands run without a sandbox', async () => {
    const { sandbox } = world.makeWorker();
    await world.startWorker({ deps: { sandbox: { ...sandbox, kind: 'none' } } });
    const { id } = await world.newIssue();
    const { plan } = await world.untilStatus(id, 'awaiting_approval');
    expect(plan?.risks).toEqual([expect.stringContaining('SANDBOX=none')]);
    await world.decide(id, { action: 'approve' });
    expect((await world.untilStatus(id, 'completed')).result?.summary).toContain('SANDBOX=none');
  });
});
