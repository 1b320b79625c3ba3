import type { Command } from 'commander';
import { exitCode, type Finish } from '../../terminal/exit-code.ts';
import { type LocalIssue, type LocalOptions, localCommand, withLocalIssue } from './local-command.ts';

/** `show`, `diff` and `log`: what is known of one local issue. */
export function addLocalShowCommands(program: Command, finish: Finish): void {
  localCommand(program, 'show', {
    description: 'show a local issue with its plan and its result',
    examples: ['sluice show 0c2d3e4f', 'sluice show              the current issue of the repository here'],
  }).action(async (given: string | undefined, options: LocalOptions) => {
    const { printIssue } = await import('../../follow/print-issue.ts');
    await withLocalIssue({ given, options, needsActive: false }, (issue) => printIssue(released(issue)));
    finish(exitCode.done);
  });

  localCommand(program, 'diff', {
    description: 'show the change of a local issue so far as a unified diff',
    examples: ['sluice diff 0c2d3e4f', 'sluice diff 0c2d3e4f | git apply --check'],
  }).action(async (given: string | undefined, options: LocalOptions) => {
    const { printDiff } = await import('../../follow/print-issue.ts');
    await withLocalIssue({ given, options, needsActive: false }, (issue) => printDiff(released(issue)));
    finish(exitCode.done);
  });

  localCommand(program, 'log', {
    description: 'print the whole output of the commands that ran for a local issue',
    examples: ['sluice log 0c2d3e4f', 'sluice log               of the current issue of the repository here'],
  }).action(async (given: string | undefined, options: LocalOptions) => {
    const { printLog } = await import('../../follow/print-issue.ts');
    await withLocalIssue({ given, options, needsActive: false }, (issue) => printLog(released(issue)));
    finish(exitCode.done);
  });
}

/** The issue, whose folder is free for other commands while the user reads. */
function released(issue: LocalIssue) {
  return { ...issue, onRead: issue.folder.release };
}
