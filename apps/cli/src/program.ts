import { Command } from 'commander';
import { addAccountCommands } from './command/account.ts';
import { renderExamples } from './command/add-command.ts';
import { addAdminCommands } from './command/admin/admin-group.ts';
import { addAliasCommands } from './command/alias.ts';
import { addApiCommand } from './command/api.ts';
import { addBudgetsCommands } from './command/budgets/budgets-group.ts';
import { addCompletionCommand } from './command/completion.ts';
import { addConfigCommands } from './command/config.ts';
import {
  addBackupCommand,
  addMigrateCommand,
  addMigrateToCommand,
  addRestoreCommand,
} from './command/database-commands.ts';
import { addDemoCommand } from './command/demo.ts';
import { addDoctorCommand } from './command/doctor.ts';
import { addSecondNames, findCommand } from './command/find-command.ts';
import { helpTopics, LEARN_MORE } from './command/help-topics.ts';
import { addInboxCommand } from './command/inbox.ts';
import { addIssuesCommands } from './command/issues/issues-group.ts';
import { addLocalCommands } from './command/local/local-commands.ts';
import { addLoginCommands } from './command/login.ts';
import { addMembersCommands } from './command/members/members-group.ts';
import { addNotificationsCommands } from './command/notifications/notifications-group.ts';
import { addReposCommands } from './command/repos/repos-group.ts';
import { addRunCommand } from './command/run.ts';
import { addServeCommand } from './command/serve.ts';
import { addSessionsCommands } from './command/sessions.ts';
import { addStatsCommand } from './command/stats.ts';
import { addStatusCommand } from './command/status.ts';
import { addTokensCommands } from './command/tokens/tokens-group.ts';
import { reportFailure, reportUsageError } from './report-failure.ts';
import { ownCommand } from './terminal/environment.ts';
import { CommandError, type ExitCode, exitCode, type Finish } from './terminal/exit-code.ts';

const EXAMPLES = [
  'sluice demo                            try it on a sample repository',
  'sluice run --repo . --issue bug.md     take an issue to a tested branch',
  'sluice login --url https://…           use a server from now on',
  'sluice issues list                     list your issues on the server',
  'sluice doctor                          check the setup and show how to fix it',
];

/**
 * Runs the `sluice` command with `args` (without node and script) and returns its exit code. An expected failure prints one
 * sentence to stderr; an unexpected one prints its stack.
 *
 * A command imports what it needs (above all the server) when it runs, so that `--help` stays fast.
 */
export async function runProgram(args: readonly string[], version: string): Promise<ExitCode> {
  let code: ExitCode = exitCode.done;
  let words = args;
  const program = createProgram(version, (given) => {
    code = given;
  });
  try {
    const resolved = await resolveArguments(program, args);
    if (resolved === null) return code;
    words = resolved;
    reportUsageErrors(program, words);
    await program.parseAsync([...words], { from: 'user' });
  } catch (error) {
    return await reportFailure(error, words);
  }
  return code;
}

/** Every command with its options; also used by the completion scripts and by tests. */
export function createProgram(version: string, finish: Finish): Command {
  const program = new Command('sluice')
    .description('Takes an issue to a tested branch, by a plan that you approve.')
    .version(version)
    .showSuggestionAfterError()
    .addHelpText('before', renderExamples(EXAMPLES))
    .addHelpText('afterAll', LEARN_MORE)
    .helpCommand('help [command...]', 'display help for a command, or about environment or exit-codes')
    .exitOverride();
  addRunCommand(program, finish);
  addLocalCommands(program, finish);
  addDemoCommand(program, finish);
  addLoginCommands(program, finish);
  addAccountCommands(program, finish);
  addSessionsCommands(program, finish);
  addTokensCommands(program, finish);
  addReposCommands(program, finish);
  addIssuesCommands(program, finish);
  addMembersCommands(program, finish);
  addBudgetsCommands(program, finish);
  addNotificationsCommands(program, finish);
  addInboxCommand(program, finish);
  addStatusCommand(program, finish);
  addStatsCommand(program, finish);
  addApiCommand(program, finish);
  addServeCommand(program, finish);
  addDoctorCommand(program, finish);
  addConfigCommands(program, finish);
  addMigrateCommand(program, finish);
  addMigrateToCommand(program, finish);
  addBackupCommand(program, finish);
  addRestoreCommand(program, finish);
  addAdminCommands(program, finish);
  addAliasCommands(program, finish);
  addCompletionCommand(program);
  addSecondNames(program);
  addJqOption(program);
  return program;
}

/** Reports usage errors with a pointer to the help of the command that they are about. */
function reportUsageErrors(command: Command, args: readonly string[], path: readonly string[] = []): void {
  const name = command.parent === null ? [ownCommand()] : [...path, command.name()];
  command.configureOutput({ outputError: (message) => reportUsageError(message, args, name.join(' ')) });
  for (const one of command.commands) reportUsageErrors(one, args, name);
}

/**
 * The arguments that the parser gets: `help COMMAND…` as a call of that command with `--help`, and an alias as what it
 * stands for. Null when everything is printed already: a page of help, or what the completion script of a shell asks for.
 */
export async function resolveArguments(program: Command, args: readonly string[]): Promise<readonly string[] | null> {
  const [first, ...rest] = args;
  if (first === 'help') return resolveHelp(program, rest);
  if (first === '__complete') {
    const { printCompletions } = await import('./command/print-completions.ts');
    await printCompletions(program, rest[0] === '--' ? rest.slice(1) : rest);
    return null;
  }
  if (first === undefined || first.startsWith('-') || findCommand(program, [first]) !== null) return args;
  const { expandAlias, readAliases } = await import('./terminal/aliases.ts');
  const words = (await readAliases()).get(first);
  return words === undefined ? args : expandAlias(words, rest);
}

function resolveHelp(program: Command, rest: readonly string[]): readonly string[] | null {
  const path = rest.filter((word) => !word.startsWith('-'));
  const [topic] = path;
  if (topic === undefined) return ['--help'];
  if (path.length === 1 && Object.hasOwn(helpTopics, topic)) {
    process.stdout.write(helpTopics[topic]?.() ?? '');
    return null;
  }
  if (findCommand(program, path) !== null) return [...path, '--help'];
  const topics = Object.keys(helpTopics).join(' and ');
  throw new CommandError(
    exitCode.usage,
    `There is no command "${path.join(' ')}". "${ownCommand()} --help" lists them; further pages are ${topics}.`,
  );
}

/** Gives every command that prints JSON the option `--jq`, and compiles its expression before the command runs. */
function addJqOption(program: Command): void {
  for (const command of commandsWithJson(program)) {
    command.option('-q, --jq <expression>', 'print what this jq expression selects from the JSON');
  }
  program.hook('preAction', async (_program, command) => {
    const { jq } = command.opts<{ jq?: string }>();
    if (jq === undefined) return;
    const { jsonFilter } = await import('./terminal/json-filter.ts');
    command.setOptionValue('jq', await jsonFilter(jq));
    command.setOptionValue('json', true);
  });
}

function commandsWithJson(command: Command): Command[] {
  const own = command.options.some(({ long }) => long === '--json') ? [command] : [];
  return [...own, ...command.commands.flatMap(commandsWithJson)];
}
