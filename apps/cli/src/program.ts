import { Command, CommanderError } from 'commander';
import { addDemoCommand } from './command/demo.ts';
import { addDoctorCommand } from './command/doctor.ts';
import { addMigrateCommand } from './command/migrate.ts';
import { addMigrateToCommand } from './command/migrate-to.ts';
import { addRunCommand } from './command/run.ts';
import { addServeCommand } from './command/serve.ts';
import { CommandError, type ExitCode, exitCode } from './exit-code.ts';
import { plainText } from './view/plain-text.ts';

const EXAMPLES = `Examples:
  sluice demo                            see it work on a sample repository
  sluice run --repo . --issue bug.md     take an issue of yours to a tested branch
  sluice doctor                          what is missing here, and what mends it
`;

/**
 * Runs the `sluice` command with `args` (without node and script) and returns its exit code. What goes wrong is said
 * on stderr in one sentence; only what nobody foresaw shows a stack.
 *
 * A command imports what it needs (the server above all) when it runs, so that `--help` and `--version` are there at once.
 */
export async function runProgram(args: readonly string[], version: string): Promise<ExitCode> {
  let code: ExitCode = exitCode.done;
  const finish = (given: ExitCode) => {
    code = given;
  };
  const program = new Command('sluice')
    .description('An issue becomes a tested branch, by way of a plan that you approved.')
    .version(version)
    .showSuggestionAfterError()
    .configureOutput({ outputError: (message, write) => write(usageLine(message)) })
    .addHelpText('before', EXAMPLES)
    .exitOverride();
  addRunCommand(program, finish);
  addDemoCommand(program, finish);
  addServeCommand(program, finish);
  addDoctorCommand(program, finish);
  addMigrateCommand(program, finish);
  addMigrateToCommand(program, finish);
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    return await sayFailure(error);
  }
  return code;
}

/** Commander's words for a usage error, with its suggestion, on one line. */
function usageLine(message: string): string {
  const said = message.trim().replace(/^error: /, '');
  return `sluice: ${said.replaceAll(/\s*\n\s*/g, ' ')} (sluice --help shows how)\n`;
}

async function sayFailure(error: unknown): Promise<ExitCode> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.done : exitCode.usage;
  if (error instanceof CommandError) return said(error.message, error.code);
  const { ConfigError, StartError } = await import('@sluice/server');
  if (error instanceof ConfigError) return said(error.message, exitCode.usage);
  if (error instanceof StartError) return said(error.message, exitCode.unexpected);
  const { serverRefusal } = await import('./server-refusal.ts');
  const refusal = serverRefusal(error);
  if (refusal !== null) return said(refusal.message, refusal.code);
  return said(error instanceof Error ? (error.stack ?? error.message) : String(error), exitCode.unexpected);
}

function said(message: string, code: ExitCode): ExitCode {
  process.stderr.write(`sluice: ${plainText(message)}\n`);
  return code;
}
