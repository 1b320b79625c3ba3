import type { Command } from 'commander';
import type { Finish } from '../remote-command.ts';
import { addIssuesCreateCommand } from './create.ts';
import { addDecisionCommands } from './decide.ts';
import { addIssuesDiffCommand } from './diff.ts';
import { addEndCommands } from './end.ts';
import { addIssuesImportCommand } from './import.ts';
import { addIssuesListCommand } from './list.ts';
import { addIssuesLogCommand } from './log.ts';
import { addIssuesShowCommand } from './show.ts';
import { addStartCommands } from './start.ts';
import { addIssuesWatchCommand } from './watch.ts';

export function addIssuesCommands(issues: Command, finish: Finish): void {
  addIssuesCreateCommand(issues, finish);
  addIssuesImportCommand(issues, finish);
  addIssuesListCommand(issues, finish);
  addIssuesShowCommand(issues, finish);
  addStartCommands(issues, finish);
  addDecisionCommands(issues, finish);
  addEndCommands(issues, finish);
  addIssuesWatchCommand(issues, finish);
  addIssuesDiffCommand(issues, finish);
  addIssuesLogCommand(issues, finish);
}
