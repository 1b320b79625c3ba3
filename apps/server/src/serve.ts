import { type LoadConfigOptions, loadConfig } from './config.ts';
import { startServer } from './server.ts';

/** Serves until SIGTERM or SIGINT. A second signal ends the process at once; what it leaves is recovered at the next start. */
export async function serve(options: LoadConfigOptions = {}): Promise<void> {
  const server = await startServer(loadConfig(options));
  process.stdout.write(`Sluice listens on ${server.url}\n`);
  await new Promise<void>((resolve) => {
    const stop = () => {
      // With nobody listening, the next signal ends the process.
      process.off('SIGTERM', stop).off('SIGINT', stop);
      resolve();
    };
    process.on('SIGTERM', stop).on('SIGINT', stop);
  });
  await server.close();
}
