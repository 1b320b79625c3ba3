import type { Decision } from '@sluice/client';
import type { Command } from 'commander';
import type { GivenDecision } from '../../follow/send-decision.ts';
import type { RemoteOptions } from '../../session/remote.ts';
import type { Finish } from '../../terminal/exit-code.ts';
import { positiveInteger, repeatedCall } from '../add-command.ts';
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
  const instruct = add('instruct');
  instruct
    .argument('[guidance]', 'what to change, or - for standard input (default: write it in your editor)')
    .action(async (given: string, text: string | undefined, options: DecideOptions) => {
      const { textOrEditor } = await import('../../terminal/given-text.ts');
      const guidance = await textOrEditor(text);
      const again = (words: string) => repeatedCall(instruct, words);
      finish(await decide(given, { action: 'instruct', guidance, again }, options));
    });
}

async function decide(given: string, decision: GivenDecision, options: DecideOptions) {
  const { findIssue } = await import('../../session/find-by-suffix.ts');
  const { sendDecision } = await import('../../follow/send-decision.ts');
  return await withRemote(options, async (remote) => {
    const id = await findIssue(remote.client, given);
    return await printOrWatch(remote, await sendDecision({ ...remote, id }, decision, options), options);
  });
}
