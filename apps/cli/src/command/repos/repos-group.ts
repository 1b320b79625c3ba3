import type { Command } from 'commander';
import type { Finish } from '../remote-command.ts';
import { addReposAddCommand } from './add.ts';
import { addReposListCommand } from './list.ts';
import { addReposRemoveCommand } from './remove.ts';
import { addReposSearchCommand } from './search.ts';
import { addReposShowCommand } from './show.ts';

export function addReposCommands(repos: Command, finish: Finish): void {
  addReposAddCommand(repos, finish);
  addReposListCommand(repos, finish);
  addReposShowCommand(repos, finish);
  addReposRemoveCommand(repos, finish);
  addReposSearchCommand(repos, finish);
}
