import type { Decision } from '@sluice/client';
import type { Command } from 'commander';
import type { GivenDecision } from '../../follow/send-decision.ts';
import { wrapAdvice } from '../../render/wrap-advice.ts';
import { type ExitCode, exitCode, type Finish } from '../../terminal/exit-code.ts';
import { positiveInteger, repeatedCall } from '../add-command.ts';
import {
  type ConfigurationOptions,
  configurationFlags,
  configurationOf,
  withConfiguration,
} from '../configuration-options.ts';
import {
  addressOfIssue,
  issueAndText,
  type LocalIssue,
  type LocalOptions,
  localCommand,
  withLocalIssue,
} from './local-command.ts';

interface DecideOptions extends LocalOptions, ConfigurationOptions {
  readonly revision?: number;
  readonly commit?: string;
  readonly watch?: true;
  readonly verbose?: true;
}

const notes =
  'While another run works on the repository, that one goes on with the issue. Otherwise this command does, and follows it.';

const commands = {
  approve: {
    description: 'approve the plan of a local issue, or the change to be published, and go on with it',
    examples: ['sluice approve 0c2d3e4f', 'sluice approve 0c2d3e4f --revision 2    only this revision of the plan'],
    notes,
  },
  reject: {
    description: 'reject the plan or the change of a local issue, and end it',
    examples: ['sluice reject 0c2d3e4f'],
  },
  instruct: {
    description: 'describe what to change in a local issue, and go on with that',
    examples: [
      "sluice instruct 0c2d3e4f 'Leave the public API as it is.'",
      'sluice instruct 0c2d3e4f                  write it in your editor',
      "sluice instruct 'Leave the public API as it is.'\n                                           the issue of the repository here",
      'sluice instruct 0c2d3e4f - < notes.txt',
    ],
    notes,
  },
} as const;

/** `approve`, `reject` and `instruct`: the decisions at a gate of a local issue. */
export function addLocalDecisionCommands(program: Command, finish: Finish): void {
  const add = (action: Decision['action']) =>
    localCommand(program, action, commands[action]).option(
      '--revision <number>',
      'revision that you reviewed; refused if there is a newer one',
      positiveInteger,
    );
  const following = (command: Command) =>
    withConfiguration(command)
      .option('--watch', 'follow the issue also while another run goes on with it')
      .option('-v, --verbose', 'print the whole output of every command');
  following(add('approve'))
    .option('--commit <id>', 'full id of the commit that you reviewed; refused if it is not the one to be published')
    .action(async (given: string | undefined, options: DecideOptions) => {
      finish(await decide(given, { action: 'approve' }, options));
    });
  add('reject').action(async (given: string | undefined, options: DecideOptions) => {
    finish(await decide(given, { action: 'reject' }, options));
  });
  const instruct = following(add('instruct'));
  instruct
    .argument('[guidance]', 'what to change, or - for standard input (default: write it in your editor)')
    .action(async (first: string | undefined, second: string | undefined, options: DecideOptions) => {
      const { textOrEditor } = await import('../../terminal/given-text.ts');
      const { given, text } = issueAndText(first, second);
      const guidance = await textOrEditor(text);
      const again = (words: string) => repeatedCall(instruct, words);
      finish(await decide(given, { action: 'instruct', guidance, again }, options));
    });
}

async function decide(given: string | undefined, decision: GivenDecision, options: DecideOptions): Promise<ExitCode> {
  const { sendDecision } = await import('../../follow/send-decision.ts');
  const decided = await withLocalIssue({ given, options, needsActive: true }, async (local) => {
    const { output, folder, dataDir } = local;
    const issue = await sendDecision(local, decision, {
      ...options,
      isLocal: true,
      onFound: async (pending) => {
        if (decision.action === 'approve') {
          const { localModel } = await import('../../local/local-model.ts');
          const { refuseHopelessApproval } = await import('./refuse-hopeless-approval.ts');
          refuseHopelessApproval(pending, { model: localModel(configurationOf(options)), folder });
        }
        const isLong = decision.action === 'instruct' ? decision.guidance === null : decision.action === 'approve';
        if (isLong) await folder.release(); // the user may take their time
      },
    });
    const follows = decision.action !== 'reject' && (options.watch === true || !folder.isHeldElsewhere());
    if (follows) return { output, dataDir, id: issue.id, address: await addressOfIssue(local) };
    const { printIssueLine } = await import('../../follow/print-issue.ts');
    await printIssueLine(local, issue);
    return null;
  });
  return decided === null ? exitCode.done : await goOn(decided, options);
}

/** Works on the issue until it ends, unless another process does: then it only follows it. */
async function goOn(
  { output, dataDir, id, address }: Pick<LocalIssue, 'output' | 'dataDir' | 'id'> & { readonly address: string },
  options: DecideOptions,
): Promise<ExitCode> {
  const { followHere, interruptedHere } = await import('../../follow/follow-here.ts');
  const { openLocalFolder } = await import('../../local/open-local-folder.ts');
  const { isAtTerminal } = await import('../../terminal/at-terminal.ts');
  const { ownCommand } = await import('../../terminal/environment.ts');
  const { interruptible } = await import('../../terminal/interruptible.ts');
  const { shellWord } = await import('../../terminal/shell-word.ts');
  const configuration = configurationOf(options);
  const message = (text: string) => output.message(output.messageStyle('yellow', text));
  await using folder = await openLocalFolder(dataDir, { works: true, configuration, message });
  const flags = configurationFlags(options);
  const continueCommand = `${ownCommand()} run --repo ${shellWord(address)} --continue${flags}`;
  const canAsk = isAtTerminal();
  const how = { issueId: id, address, continueCommand, flags, yes: false, canAsk, verbose: options.verbose };
  return await interruptible(
    (signal) => followHere({ folder, output }, { ...how, signal }),
    async () => output.message(wrapAdvice(await interruptedHere(folder, continueCommand), output.messageWidth)),
  );
}
