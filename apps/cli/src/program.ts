import { ConfigError } from '@sluice/server';
import { Command, CommanderError } from 'commander';
import { addDemoCommand } from './command/demo.ts';
import { addDoctorCommand } from './command/doctor.ts';
import { addRunCommand } from './command/run.ts';
import { addServeCommand } from './command/serve.ts';
import { CommandError, type ExitCode, exitCode } from './exit-code.ts';
import { exitCodeOfRefusal, refusalBody } from './server-refusal.ts';

/**
 * Runs the `sluice` command with `args` (without node and script) and returns its exit code. What goes wrong is said
 * on stderr in one sentence; only what nobody foresaw shows a stack.
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
    .showHelpAfterError('(sluice --help lists the commands)')
    .exitOverride();
  addRunCommand(program, finish);
  addDemoCommand(program, finish);
  addServeCommand(program, finish);
  addDoctorCommand(program, finish);
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    return sayFailure(error);
  }
  return code;
}

function sayFailure(error: unknown): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.done : exitCode.usage;
  if (error instanceof CommandError) return said(error.message, error.code);
  if (error instanceof ConfigError) return said(error.message, exitCode.usage);
  const refused = exitCodeOfRefusal(error);
  if (refused !== null) return said(refusalBody(error)?.detail ?? (error as Error).message, refused);
  return said(error instanceof Error ? (error.stack ?? error.message) : String(error), exitCode.unexpected);
}

function said(message: string, code: ExitCode): ExitCode {
  process.stderr.write(`sluice: ${message}\n`);
  return code;
}
