import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalFolder } from '../local/open-local-folder.ts';
import { blockerOf } from '../render/render-gate.ts';
import { ownCommand } from '../terminal/environment.ts';
import { type ExitCode, exitCode } from '../terminal/exit-code.ts';
import type { Output } from '../terminal/output.ts';
import { shellWord } from '../terminal/shell-word.ts';
import { followIssue, retryAdvice } from './follow-issue.ts';
import { howToDecide } from './how-to-decide.ts';

export interface FollowHereOptions {
  readonly issueId: string;
  /** The folder or URL of the repository. */
  readonly address: string;
  /** The command that goes on with the issue later. */
  readonly continueCommand: string;
  /** The flags of the configuration, for other commands that go on with it; a space before each. */
  readonly flags: string;
  readonly yes: boolean;
  readonly canAsk: boolean;
  readonly verbose?: boolean | undefined;
  /** Whether a model is configured that writes code. */
  readonly hasModel?: boolean | undefined;
  readonly signal: AbortSignal;
}

/** Follows an issue of a local run to its end or to a gate that stays undecided, and prints what to do next. */
export async function followHere(
  { folder, output }: { readonly folder: LocalFolder; readonly output: Output },
  options: FollowHereOptions,
): Promise<ExitCode> {
  const { issueId, address, continueCommand, flags, yes, canAsk, verbose, hasModel = false, signal } = options;
  const followed = await followIssue(folder.client, output, {
    issueId,
    yes,
    canAsk,
    verbose,
    hasModel,
    wait: false, // the process would do nothing until somebody decides
    howToDecide: (gate) => {
      const all = howToDecide(ownCommand(), { issueId, flags }, gate);
      return gate.kind === 'plan' && blockerOf(gate) === null
        ? `${all}, or approve it with: ${continueCommand} --yes`
        : all;
    },
    signal,
  });
  const { code, branch } = followed;
  if (branch !== null) output.message(`\nMerge it with:  ${mergeCommand(address, branch)}`);
  if (code === exitCode.pipelineFailed) output.message(retryAdvice(followed, continueCommand));
  return code;
}

/** What to print when the user interrupts a command that follows an issue. */
export async function interruptedHere(folder: LocalFolder, continueCommand: string): Promise<string> {
  return (await folder.goesOnElsewhere())
    ? `\nInterrupted. Another run on this repository goes on with it. Follow it with: ${continueCommand}`
    : `\nInterrupted. No work is lost. Continue with: ${continueCommand}`;
}

/** The shell command that merges a published branch into the user's branch. */
function mergeCommand(address: string, branch: string): string {
  const isWorkTree = existsSync(join(address, '.git'));
  return isWorkTree
    ? `git -C ${shellWord(address)} merge ${shellWord(branch)}`
    : `git pull ${shellWord(address)} ${shellWord(branch)}`;
}
