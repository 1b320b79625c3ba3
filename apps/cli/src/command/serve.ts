import type { Command } from 'commander';
import { exitCode, type Finish } from '../terminal/exit-code.ts';
import { addCommand } from './add-command.ts';
import { type ConfigurationOptions, configurationOf, withConfiguration } from './configuration-options.ts';

interface ServeOptions extends ConfigurationOptions {
  readonly host?: string;
  readonly port?: string;
  readonly dataDir?: string;
}

export function addServeCommand(program: Command, finish: Finish): void {
  const command = addCommand(program, 'serve', {
    description: 'serve the API until SIGTERM or Ctrl-C',
    examples: [
      'sluice serve                                     on http://127.0.0.1:3000, data in ./data',
      'sluice serve --port 0 --data-dir ~/sluice-data   on a free port, which it prints',
    ],
  })
    .option('--host <address>', 'address to listen on (HOST)')
    .option('--port <port>', 'port to listen on, or 0 for a free one (PORT)')
    .option('--data-dir <folder>', 'data folder (DATA_DIR)');
  withConfiguration(command).action(async (options: ServeOptions) => {
    const { host: HOST, port: PORT, dataDir: DATA_DIR } = options;
    const { overrides, ...file } = configurationOf(options);
    const { serve } = await import('@sluice/server');
    await serve({
      ...file,
      overrides: {
        ...overrides,
        ...(HOST === undefined ? {} : { HOST }),
        ...(PORT === undefined ? {} : { PORT }),
        ...(DATA_DIR === undefined ? {} : { DATA_DIR }),
      },
    });
    finish(exitCode.done);
  });
}
