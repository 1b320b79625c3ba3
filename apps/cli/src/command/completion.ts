import { Argument, type Command } from 'commander';

const EXAMPLES = `Examples:
  source <(sluice completion bash)                              in ~/.bashrc
  sluice completion zsh > "\${fpath[1]}/_sluice"                once
  sluice completion fish > ~/.config/fish/completions/sluice.fish
`;

export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('print a script by which a shell completes commands and options')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText('before', EXAMPLES)
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      const { completionScript } = await import('./completion-script.ts');
      process.stdout.write(completionScript(program, shell));
    });
}
