import type { Workspace, Workspaces } from '@sluice/core/workspace';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { untilAborted as hangs } from './fake-sandbox.ts';
import { answer, type Script, writeByTool } from './scripted-agents.ts';
import { openWorld, type World } from './world.ts';

describe('a note to the working agent', () => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld();
  });
  afterEach(() => world[Symbol.asyncDispose]());

  const done = { outcome: 'done', summary: 'done', outsidePlan: [] } as const;

  it('reaches the agent before its next turn, once, and is in the journal of the round', async () => {
    const coder: Script['coder'] = async ({ issue }, context) => {
      await answer(context, 'first');
      await world.note(issue.id, 'Mind the zero.');
      await world.note(issue.id, 'And the sign.');
      await answer(context, 'second');
      await writeByTool(context, { path: 'src/sum.js', text: 'fixed' });
      expect(await context.checkIn()).toEqual([]);
      return done;
    };
    await world.startWorker({ script: { coder } });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    await world.untilStatus(id, 'completed');
    const journal = await world.runs.journal(id, { stage: 'implement', round: 1 });
    const heard = journal.flatMap((entry) =>
      entry.kind === 'note' || entry.kind === 'message' ? [entry.message] : [],
    );
    expect(heard).toEqual(['first', 'Mind the zero.', 'And the sign.', 'second']);
  });

  it('stops a command of the agent, which gets the output so far', async () => {
    const ended: unknown[] = [];
    await world.startWorker({
      commands: {
        'npm start': async ({ signal, root, onOutput }) => {
          onOutput?.('stdout', 'listening');
          await world.note(root.replace('/trees/', '') as never, 'Do not start the server.');
          return await hangs(signal);
        },
      },
      script: {
        coder: async (_, context) => {
          ended.push(await context.runCommand({ command: 'npm start', timeoutMs: 60_000 }));
          await answer(context, 'I see.');
          await writeByTool(context, { path: 'src/sum.js', text: 'fixed' });
          return done;
        },
      },
    });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    await world.untilStatus(id, 'completed');
    const told = (await world.events(id)).find(
      (event) => event.type === 'command.finished' && event.data.command === 'npm start',
    );
    expect(told?.data).toMatchObject({ exit_code: null, text: 'The command was stopped by a note.' });
    expect(ended).toMatchObject([{ endedBy: 'note', exitCode: null, output: 'listening', truncated: false }]);
    const journal = await world.runs.journal(id, { stage: 'implement', round: 1 });
    expect(journal.find(({ kind }) => kind === 'note')).toMatchObject({ message: 'Do not start the server.' });
  });

  it('that waits lets no command of the agent start', async () => {
    const ended: unknown[] = [];
    const { sandbox } = await world.startWorker({
      commands: { 'npm start': () => ({ exitCode: 0 }) },
      script: {
        coder: async (_, context) => {
          await world.note(context.workspace.issueId, 'Do not start the server.');
          ended.push(await context.runCommand({ command: 'npm start', timeoutMs: 60_000 }));
          await writeByTool(context, { path: 'src/sum.js', text: 'fixed' });
          return { outcome: 'done', summary: 'fixed', outsidePlan: [] };
        },
      },
    });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    await world.untilStatus(id, 'completed');
    expect(ended).toMatchObject([{ endedBy: 'unread_note', output: '' }]);
    expect(sandbox.runs.map(({ command }) => command)).not.toContain('npm start');
  });

  it('is given to the next agent when none was at work', async () => {
    await world.startWorker({
      commands: {
        'npm test': async ({ files, root }) => {
          if (files.get('src/sum.js') !== 'fixed') return { exitCode: 1 };
          await world.note(root.replace('/trees/', '') as never, 'SyncOutcome at the tests.');
          return { exitCode: 0 };
        },
      },
    });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    await world.untilStatus(id, 'completed');
    const journal = await world.runs.journal(id, { stage: 'review', round: 1 });
    expect(journal[0]).toMatchObject({ kind: 'note', message: 'SyncOutcome at the tests.' });
  });

  it('is reported as too late when no agent works on the issue any more', async () => {
    const { workspaces } = world.host;
    const late: Workspaces = {
      ...workspaces,
      prepare: async (request) => {
        const workspace = await workspaces.prepare(request);
        const push: Workspace['push'] = async (...given) => {
          await world.note(workspace.issueId, 'One thing more.');
          return workspace.push(...given);
        };
        return { ...workspace, push };
      },
    };
    await world.startWorker({ deps: { workspaces: late } });
    const { id } = await world.newIssue();
    await world.untilStatus(id, 'awaiting_approval');
    await world.decide(id, { action: 'approve' });
    await world.untilStatus(id, 'completed');
    expect(await world.said(id)).toContain(
      'The last note arrived after the last agent had finished: no model has read it.',
    );
  });
});
