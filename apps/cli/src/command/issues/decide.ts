import type { Decision } from '@sluice/client';
import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { CommandError, exitCode, type Finish } from '../../terminal/exit-code.ts';
import { positiveInteger } from '../add-command.ts';
import { ISSUE_ARGUMENT, remoteCommand, withRemote } from '../remote-command.ts';
import { printOrWatch, type WatchOptions, watchOptions } from './watch-options.ts';

interface DecideOptions extends RemoteOptions, WatchOptions {
  readonly revision?: number;
  readonly commit?: string;
}

const commands = {
  approve: {
    description: 'approve the plan, or the change to be published',
    examples: [
      'sluice issues approve 0c2d3e4f --watch',
      'sluice issues approve 0c2d3e4f --revision 2      only this revision of the plan',
      'sluice issues approve 0c2d3e4f --commit COMMIT   publish this commit without asking',
    ],
  },
  reject: {
    description: 'reject the plan or the change and end the issue',
    examples: ['sluice issues reject 0c2d3e4f'],
  },
  instruct: {
    description: 'describe what to change, and continue with that',
    examples: [
      'sluice issues instruct 0c2d3e4f                  write it in your editor',
      "sluice issues instruct 0c2d3e4f 'Leave the public API as it is.'",
      'sluice issues instruct 0c2d3e4f - < notes.txt',
    ],
  },
} as const;

/** `approve`, `reject` and `instruct`: the decisions at a gate. */
export function addDecisionCommands(issues: Command, finish: Finish): void {
  const add = (action: Decision['action']) => {
    const command = remoteCommand(issues, action, commands[action])
      .argument(...ISSUE_ARGUMENT)
      .option('--revision <number>', 'revision that you reviewed; refused if there is a newer one', positiveInteger);
    return watchOptions(command);
  };
  add('approve')
    .option('--commit <id>', 'full id of the commit that you reviewed; refused if it is not the one to be published')
    .action(async (given: string, options: DecideOptions) => {
      finish(await decide(given, { action: 'approve' }, options));
    });
  add('reject').action(async (given: string, options: DecideOptions) => {
    finish(await decide(given, { action: 'reject' }, options));
  });
  add('instruct')
    .argument('[guidance]', 'what to change, or - for standard input (default: write it in your editor)')
    .action(async (given: string, text: string | undefined, options: DecideOptions) => {
      const { givenText } = await import('../../terminal/given-text.ts');
      const guidance = await givenText(text, 'Describe what to change.');
      finish(await decide(given, { action: 'instruct', guidance }, options));
    });
}

async function decide(given: string, decision: Decision, options: DecideOptions) {
  const { decideIssue } = await import('@sluice/client');
  const { findIssue } = await import('../../session/find-by-suffix.ts');
  const { showApproval } = await import('../../follow/show-approval.ts');
  return await withRemote(options, async (remote) => {
    const { client, output } = remote;
    const pending = await client.issues.get.query({ id: await findIssue(client, given) });
    const { id, status, gate } = pending;
    if (gate === null) {
      const reason = `The issue is ${status}. A decision is possible only while it is awaiting_approval.`;
      throw new CommandError(exitCode.conflict, reason);
    }
    if (decision.action === 'approve') await showApproval(output, { ...pending, gate }, options);
    const { revision = gate.revision, commit: head_commit = gate.head_commit } = options;
    const issue = await decideIssue(client, { id, status, gate: { ...gate, revision, head_commit } }, decision);
    return await printOrWatch(remote, issue, options);
  });
}
