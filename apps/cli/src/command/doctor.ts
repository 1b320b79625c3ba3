import { type Diagnosis, diagnose } from '@sluice/server';
import type { Command } from 'commander';
import { type ExitCode, exitCode } from '../exit-code.ts';
import { createOutput } from '../output.ts';
import type { Style } from '../view/style.ts';

const MARKS = { ok: ['green', '✓'], warning: ['yellow', '!'], problem: ['red', '✗'] } as const;

export function addDoctorCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('doctor')
    .description('what is configured, reachable, missing, and the command that mends it')
    .option('--json', 'print the findings as JSON')
    .action(async (options: { json?: true }) => {
      const diagnosis = await diagnose();
      createOutput({ json: options.json === true }).data(diagnosis, (style) => renderDiagnosis(diagnosis, style));
      finish(diagnosis.healthy ? exitCode.done : exitCode.unexpected);
    });
}

function renderDiagnosis(diagnosis: Diagnosis, style: Style): string {
  return diagnosis.findings
    .map(({ state, subject, detail, mend }) => {
      const [colour, mark] = MARKS[state];
      const how = mend === null ? '' : `\n    ${style('bold', 'mend:')} ${mend}`;
      return `${style(colour, mark)} ${style('bold', subject)}  ${detail}${how}`;
    })
    .join('\n');
}
