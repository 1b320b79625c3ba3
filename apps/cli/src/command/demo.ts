import type { Command } from 'commander';
import type { ExitCode } from '../terminal/exit-code.ts';

const EXAMPLES = `Examples:
  sluice demo          you decide on the plan
  sluice demo --yes    the plan is approved without asking
`;

export function addDemoCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('demo')
    .description('watch an issue become a tested branch on a sample repository; needs no key and no server')
    .option('-y, --yes', 'approve the plan without asking')
    .option('--json', 'print the issue as JSON when it has ended')
    .addHelpText('before', EXAMPLES)
    .action(async (options: { yes?: true; json?: true }) => {
      const { runDemo } = await import('./run-demo.ts');
      finish(await runDemo({ yes: options.yes === true, json: options.json === true }));
    });
}
