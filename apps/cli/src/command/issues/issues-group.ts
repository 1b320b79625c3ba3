import type { Command } from 'commander';
import type { Finish } from '../../terminal/exit-code.ts';
import { addCommand } from '../add-command.ts';
import { addCloseReasonCommand } from './close-reason.ts';
import { addIssuesCreateCommand } from './create.ts';
import { addDecisionCommands } from './decide.ts';
import { addIssuesEditCommand } from './edit.ts';
import { addEndCommands } from './end.ts';
import { addIssuesImportCommand } from './import.ts';
import { addIssuesListCommand } from './list.ts';
import { addIssuesMessageCommand } from './message.ts';
import { addHistoryCommands, addShowCommands } from './show.ts';
import { addStartCommands } from './start.ts';
import { addIssuesWatchCommand } from './watch.ts';

export function addIssuesCommands(program: Command, finish: Finish): void {
  const issues = addCommand(program, 'issues', {
    description: 'manage your issues on a server',
    examples: [
      'sluice issues create --repo acme/shop --issue bug.md --watch',
      'sluice issues list --status awaiting_approval',
      'sluice issues approve 0c2d3e4f --watch',
    ],
  });
  addIssuesCreateCommand(issues, finish);
  addIssuesImportCommand(issues, finish);
  addIssuesListCommand(issues, finish);
  addStartCommands(issues, finish);
  addDecisionCommands(issues, finish);
  addEndCommands(issues, finish);
  addIssuesWatchCommand(issues, finish);
  addShowCommands(issues, finish);
  addHistoryCommands(issues, finish);
  addIssuesEditCommand(issues, finish);
  addIssuesMessageCommand(issues, finish);
  addCloseReasonCommand(issues, finish);
}
