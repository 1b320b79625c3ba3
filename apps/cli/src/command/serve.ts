import type { Command } from 'commander';
import { type ExitCode, exitCode } from '../terminal/exit-code.ts';

const EXAMPLES = `Examples:
  sluice serve                                     on http://127.0.0.1:3000, data in ./data
  sluice serve --port 0 --data-dir ~/sluice-data   on a free port, which is printed
`;

export function addServeCommand(program: Command, finish: (code: ExitCode) => void): void {
  program
    .command('serve')
    .description('serve the API until SIGTERM or Ctrl-C; configured by the environment and .env')
    .option('--host <address>', 'address to listen on (HOST)')
    .option('--port <port>', 'port to listen on, 0 for a free one (PORT)')
    .option('--data-dir <folder>', 'where everything is kept (DATA_DIR)')
    .addHelpText('before', EXAMPLES)
    .action(
      async ({ host: HOST, port: PORT, dataDir: DATA_DIR }: { host?: string; port?: string; dataDir?: string }) => {
        const { serve } = await import('@sluice/server');
        await serve({
          overrides: {
            ...(HOST === undefined ? {} : { HOST }),
            ...(PORT === undefined ? {} : { PORT }),
            ...(DATA_DIR === undefined ? {} : { DATA_DIR }),
          },
        });
        finish(exitCode.done);
      },
    );
}
