import type { Command } from 'commander';
import { renderDiagnosis } from '../render/render-diagnosis.ts';
import { exitCode, type Finish } from '../terminal/exit-code.ts';
import { createOutput, type OutputOptions } from '../terminal/output.ts';
import { addCommand } from './add-command.ts';
import { type ConfigurationOptions, configurationOf, withConfiguration } from './configuration-options.ts';

interface DoctorOptions extends ConfigurationOptions, OutputOptions {
  readonly tryModels?: true;
}

export function addDoctorCommand(program: Command, finish: Finish): void {
  const command = addCommand(program, 'doctor', {
    description: 'check the configuration and the dependencies, and show how to fix problems',
    examples: [
      'sluice doctor',
      'sluice doctor --try-models    also whether each model calls a tool; costs some tokens',
      'sluice doctor --json          the findings as JSON',
    ],
  })
    .option('--try-models', 'ask each model to call a tool: one request of some 200 tokens')
    .option('--json', 'print the findings as JSON');
  withConfiguration(command).action(async (options: DoctorOptions) => {
    const { diagnose } = await import('@sluice/server');
    const diagnosis = await diagnose({ ...configurationOf(options), tryModels: options.tryModels });
    // Scripts read the fix as `mend`, its published name.
    const findings = diagnosis.findings.map(({ fix, ...finding }) => ({ ...finding, mend: fix }));
    createOutput(options).data({ ...diagnosis, findings }, (style, { width }) =>
      renderDiagnosis(diagnosis, style, width),
    );
    finish(diagnosis.healthy ? exitCode.done : exitCode.unexpected);
  });
}
