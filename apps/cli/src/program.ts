import { Command, CommanderError } from 'commander';
import { addAdminCommands } from './command/admin/admin-group.ts';
import { addBackupCommand } from './command/backup.ts';
import { addCompletionCommand } from './command/completion.ts';
import { addDemoCommand } from './command/demo.ts';
import { addDoctorCommand } from './command/doctor.ts';
import { addLoginCommand } from './command/login.ts';
import { addLogoutCommand } from './command/logout.ts';
import { addMigrateCommand } from './command/migrate.ts';
import { addMigrateToCommand } from './command/migrate-to.ts';
import { examplesText } from './command/remote-command.ts';
import { addRestoreCommand } from './command/restore.ts';
import { addRunCommand } from './command/run.ts';
import { addServeCommand } from './command/serve.ts';
import { addWhoamiCommand } from './command/whoami.ts';
import { CommandError, type ExitCode, exitCode } from './terminal/exit-code.ts';
import { isPromptExit } from './terminal/interruptible.ts';
import { plainText } from './terminal/plain-text.ts';

const EXAMPLES = `Examples:
  sluice demo                            see it work on a sample repository
  sluice run --repo . --issue bug.md     take an issue of yours to a tested branch
  sluice login --url https://…           speak to a server from now on
  sluice issues list                     what it works on for you
  sluice doctor                          what is missing here, and what mends it
`;

type Finish = (code: ExitCode) => void;

/**
 * Runs the `sluice` command with `args` (without node and script) and returns its exit code. What goes wrong is said
 * on stderr in one sentence; only what nobody foresaw shows a stack.
 *
 * A command imports what it needs (the server above all) when it runs, so that `--help` is there at once.
 */
export async function runProgram(args: readonly string[], version: string): Promise<ExitCode> {
  let code: ExitCode = exitCode.done;
  const program = await createProgram(version, (given) => {
    code = given;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    return await sayFailure(error);
  }
  return code;
}

/** Every command, with its options and what it does; also what completion and the conformance test read. */
export async function createProgram(version: string, finish: Finish): Promise<Command> {
  const program = new Command('sluice')
    .description('An issue becomes a tested branch, by way of a plan that you approved.')
    .version(version)
    .showSuggestionAfterError()
    .configureOutput({ outputError: (message, write) => write(usageLine(message)) })
    .addHelpText('before', EXAMPLES)
    .exitOverride();
  addRunCommand(program, finish);
  addDemoCommand(program, finish);
  addLoginCommand(program, finish);
  addLogoutCommand(program, finish);
  addWhoamiCommand(program, finish);
  await addGroups(program, finish);
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

async function addGroups(program: Command, finish: Finish): Promise<void> {
  const [{ addIssuesCommands }, { addReposCommands }] = await Promise.all([
    import('./command/issues/issues-group.ts'),
    import('./command/repos/repos-group.ts'),
  ]);
  const repos = program
    .command('repos')
    .description('the repositories that you have registered with a server')
    .addHelpText(
      'before',
      examplesText(['sluice repos add acme/shop', 'sluice repos list', 'sluice repos add --help']),
    );
  addReposCommands(repos, finish);
  const issues = program
    .command('issues')
    .description('what a server works on for you')
    .addHelpText(
      'before',
      examplesText([
        'sluice issues create --repo acme/shop --issue bug.md --watch',
        'sluice issues list --status awaiting_approval',
        'sluice issues approve 0c2d3e4f --watch',
      ]),
    );
  addIssuesCommands(issues, finish);
}

/** Commander's words for a usage error, with its suggestion, on one line. */
function usageLine(message: string): string {
  const said = message.trim().replace(/^error: /, '');
  return `sluice: ${plainText(said).replaceAll(/\s*\n\s*/g, ' ')} (sluice --help shows how)\n`;
}

// Told by their names: to load the server for a sentence would take longer than all the rest.
const operatorErrors: Readonly<Record<string, ExitCode>> = {
  ConfigError: exitCode.usage,
  StartError: exitCode.unexpected,
};

async function sayFailure(error: unknown): Promise<ExitCode> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.done : exitCode.usage;
  if (error instanceof CommandError) return said(error.message, error.code);
  if (isPromptExit(error)) return said('Interrupted.', exitCode.interrupted);
  const name = error instanceof Error ? error.name : '';
  const operators = Object.hasOwn(operatorErrors, name) ? operatorErrors[name] : undefined;
  if (operators !== undefined) return said((error as Error).message, operators);
  const { serverRefusal } = await import('./session/server-refusal.ts');
  const refusal = serverRefusal(error);
  if (refusal !== null) return said(refusal.message, refusal.code);
  return said(error instanceof Error ? (error.stack ?? error.message) : String(error), exitCode.unexpected);
}

function said(message: string, code: ExitCode): ExitCode {
  process.stderr.write(`sluice: ${plainText(message)}\n`);
  return code;
}
