import { type LoadConfigOptions, loadConfig } from './config.ts';
import { startServer } from './server.ts';
import { onStopSignal } from './stop-signal.ts';

/** Serves until SIGTERM or SIGINT. */
export async function serve(options: LoadConfigOptions = {}): Promise<void> {
  const server = await startServer(loadConfig(options));
  process.stdout.write(`Sluice listens on ${server.url}\n`);
  await new Promise<void>((resolve) => {
    onStopSignal(resolve);
  });
  await server.close();
}
