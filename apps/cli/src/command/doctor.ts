import type { Command } from 'commander';
import { renderDiagnosis } from '../render/render-diagnosis.ts';
import { type ExitCode, exitCode } from '../terminal/exit-code.ts';
import { createOutput } from '../terminal/output.ts';

const EXAMPLES = `Examples:
  sluice doctor           look, and say what mends what is missing
  sluice doctor --json    the findings for a program
`;

export function addDoctorCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('doctor')
    .description('what is configured, reachable, missing, and the command that mends it')
    .option('--json', 'print the findings as JSON')
    .addHelpText('before', EXAMPLES)
    .action(async (options: { json?: true }) => {
      const { diagnose } = await import('@sluice/server');
      const diagnosis = await diagnose();
      createOutput({ json: options.json === true }).data(diagnosis, (style) => renderDiagnosis(diagnosis, style));
      finish(diagnosis.healthy ? exitCode.done : exitCode.unexpected);
    });
}
