import type { Decision } from '@sluice/client';
import type { Command } from 'commander';
import type { RemoteOptions } from '../../session/remote.ts';
import { CommandError, exitCode } from '../../terminal/exit-code.ts';
import { type Finish, remoteCommand, withRemote } from '../remote-command.ts';
import { wholeNumber } from '../whole-number.ts';
import { shownOrWatched, type WatchFlags, watchOptions } from './watched.ts';

interface DecideOptions extends RemoteOptions, WatchFlags {
  readonly revision?: number;
  readonly commit?: string;
}

const commands = {
  approve: {
    description: 'approve the plan, or the change that waits to be published',
    examples: [
      'sluice issues approve 0c2d3e4f --watch',
      'sluice issues approve 0c2d3e4f --revision 2      the plan that you saw',
      'sluice issues approve 0c2d3e4f --commit COMMIT   the change that you saw, without a terminal',
    ],
  },
  reject: { description: 'reject the plan: the issue ends here', examples: ['sluice issues reject 0c2d3e4f'] },
  instruct: {
    description: 'say what to change: the plan is made anew',
    examples: [
      "sluice issues instruct 0c2d3e4f 'Leave the public API as it is.'",
      'sluice issues instruct 0c2d3e4f - < notes.txt',
    ],
  },
} as const;

/** What a person decides at the gate, of what is shown to them or of what they say that they saw. */
export function addDecisionCommands(issues: Command, finish: Finish): void {
  const add = (action: Decision['action']) => {
    const command = remoteCommand(issues, action, commands[action])
      .argument('<issue>', 'the end of its id')
      .option('--revision <number>', 'the revision that you saw; refused when there is a newer one', wholeNumber);
    return watchOptions(command);
  };
  add('approve')
    .option('--commit <id>', 'the commit that you saw, all of its id; refused when another one waits to be published')
    .action(async (given: string, options: DecideOptions) => {
      finish(await decide(given, { action: 'approve' }, options));
    });
  add('reject').action(async (given: string, options: DecideOptions) => {
    finish(await decide(given, { action: 'reject' }, options));
  });
  add('instruct')
    .argument('<guidance>', 'what should be different, or - for standard input')
    .action(async (given: string, guidance: string, options: DecideOptions) => {
      finish(await decide(given, { action: 'instruct', guidance: await readGuidance(guidance) }, options));
    });
}

async function readGuidance(given: string): Promise<string> {
  if (given !== '-') return given;
  const { text } = await import('node:stream/consumers');
  return (await text(process.stdin)).trim();
}

async function decide(given: string, decision: Decision, options: DecideOptions) {
  const { decideIssue } = await import('@sluice/client');
  const { findIssue } = await import('../../session/find-by-suffix.ts');
  const { showApproval } = await import('../../follow/show-approval.ts');
  return await withRemote(options, async (remote) => {
    const { client, output } = remote;
    const waiting = await client.issues.get.query({ id: await findIssue(client, given) });
    const { id, status, gate } = waiting;
    if (gate === null) {
      const why = `This issue is ${status}; only one that is awaiting_approval can be decided.`;
      throw new CommandError(exitCode.conflict, why);
    }
    if (decision.action === 'approve') await showApproval(output, { ...waiting, gate }, options);
    const { revision = gate.revision, commit: head_commit = gate.head_commit } = options;
    const issue = await decideIssue(client, { id, status, gate: { ...gate, revision, head_commit } }, decision);
    return await shownOrWatched(remote, issue, options);
  });
}
