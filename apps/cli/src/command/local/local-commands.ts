import type { Command } from 'commander';
import type { Finish } from '../../terminal/exit-code.ts';
import { addLocalCancelCommand } from './cancel.ts';
import { addLocalDecisionCommands } from './decide.ts';
import { addLocalListCommand } from './list.ts';
import { addLocalMessageCommand } from './message.ts';
import { addLocalShowCommands } from './show.ts';

/** The commands for issues of `sluice run` on this machine. Those for a server's issues are in the group `issues`. */
export function addLocalCommands(program: Command, finish: Finish): void {
  addLocalListCommand(program, finish);
  addLocalShowCommands(program, finish);
  addLocalDecisionCommands(program, finish);
  addLocalMessageCommand(program, finish);
  addLocalCancelCommand(program, finish);
}
