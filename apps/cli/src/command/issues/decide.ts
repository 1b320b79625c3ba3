import type { Decision } from '@sluice/core';
import type { Command } from 'commander';
import type { RemoteOptions } from '../../remote.ts';
import { type Finish, remoteCommand, withRemote } from '../remote-command.ts';
import { wholeNumber } from '../whole-number.ts';
import { shownOrWatched, type WatchFlags, watchOptions } from './watched.ts';

interface DecideOptions extends RemoteOptions, WatchFlags {
  readonly revision?: number;
}

const commands = {
  approve: {
    description: 'approve the plan, or the change that waits to be published',
    examples: ['sluice issues approve 0c2d3e4f --watch', 'sluice issues approve 0c2d3e4f --revision 2'],
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

/** What a person says at the gate. It is said of the revision that stands there now, or of the one that was seen. */
export function addDecisionCommands(issues: Command, finish: Finish): void {
  const add = (action: Decision['action']) => {
    const command = remoteCommand(issues, action, commands[action])
      .argument('<issue>', 'the end of its id')
      .option('--revision <number>', 'the revision that you saw; refused when there is a newer one', wholeNumber);
    return watchOptions(command);
  };
  for (const action of ['approve', 'reject'] as const) {
    add(action).action(async (given: string, options: DecideOptions) => {
      finish(await decide(given, { action }, options));
    });
  }
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
  const { findIssue } = await import('../../find-by-suffix.ts');
  return await withRemote(options, async (remote) => {
    const { client } = remote;
    const id = await findIssue(client, given);
    const { gate } = await client.issues.get.query({ id });
    const revision = options.revision ?? gate?.revision;
    const issue = await client.issues.approve.mutate({
      id,
      ...decision,
      ...(revision === undefined ? {} : { revision }),
      ...(gate?.head_commit == null ? {} : { head_commit: gate.head_commit }),
    });
    return await shownOrWatched(remote, issue, options);
  });
}
