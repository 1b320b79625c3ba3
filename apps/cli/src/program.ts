import { Command, CommanderError } from 'commander';
import { renderExamples } from './command/add-command.ts';
import { addAdminCommands } from './command/admin/admin-group.ts';
import { addBackupCommand } from './command/backup.ts';
import { addCompletionCommand } from './command/completion.ts';
import { addDemoCommand } from './command/demo.ts';
import { addDoctorCommand } from './command/doctor.ts';
import { addIssuesCommands } from './command/issues/issues-group.ts';
import { addLoginCommands } from './command/login.ts';
import { addMigrateCommand } from './command/migrate.ts';
import { addMigrateToCommand } from './command/migrate-to.ts';
import { addReposCommands } from './command/repos/repos-group.ts';
import { addRestoreCommand } from './command/restore.ts';
import { addRunCommand } from './command/run.ts';
import { addServeCommand } from './command/serve.ts';
import { CommandError, type ExitCode, exitCode, type Finish } from './terminal/exit-code.ts';
import { isPromptExit } from './terminal/interruptible.ts';
import { plainText } from './terminal/plain-text.ts';

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
  const program = createProgram(version, (given) => {
    code = given;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    return await reportFailure(error);
  }
  return code;
}

/** Every command with its options; also used by the completion scripts and by tests. */
export function createProgram(version: string, finish: Finish): Command {
  const program = new Command('sluice')
    .description('Takes an issue to a tested branch, by a plan that you approve.')
    .version(version)
    .showSuggestionAfterError()
    .configureOutput({ outputError: (message, write) => write(renderUsageError(message)) })
    .addHelpText('before', renderExamples(EXAMPLES))
    .exitOverride();
  addRunCommand(program, finish);
  addDemoCommand(program, finish);
  addLoginCommands(program, finish);
  addReposCommands(program, finish);
  addIssuesCommands(program, finish);
  addServeCommand(program, finish);
  addDoctorCommand(program, finish);
  addMigrateCommand(program, finish);
  addMigrateToCommand(program, finish);
  addBackupCommand(program, finish);
  addRestoreCommand(program, finish);
  addAdminCommands(program, finish);
  addCompletionCommand(program);
  return program;
}

/** Commander's message for a usage error, with its suggestion, on one line. */
function renderUsageError(message: string): string {
  const text = message.trim().replace(/^error: /, '');
  return `sluice: ${plainText(text).replaceAll(/\s*\n\s*/g, ' ')} (see sluice --help)\n`;
}

// Recognized by name: importing the server for its classes would take longer than everything else here.
const operatorErrors: Readonly<Record<string, ExitCode>> = {
  ConfigError: exitCode.usage,
  StartError: exitCode.unexpected,
};

async function reportFailure(error: unknown): Promise<ExitCode> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.done : exitCode.usage;
  if (error instanceof CommandError) return printError(error.message, error.code);
  if (isPromptExit(error)) return printError('Interrupted.', exitCode.interrupted);
  const name = error instanceof Error ? error.name : '';
  const operatorCode = Object.hasOwn(operatorErrors, name) ? operatorErrors[name] : undefined;
  if (operatorCode !== undefined) return printError((error as Error).message, operatorCode);
  const { serverRefusal } = await import('./session/server-refusal.ts');
  const refusal = serverRefusal(error);
  if (refusal !== null) return printError(refusal.message, refusal.code);
  return printError(error instanceof Error ? (error.stack ?? error.message) : String(error), exitCode.unexpected);
}

function printError(message: string, code: ExitCode): ExitCode {
  process.stderr.write(`sluice: ${plainText(message)}\n`);
  return code;
}
