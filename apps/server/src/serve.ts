import { type LoadConfigOptions, loadConfig } from './config.ts';
import { startServer } from './server.ts';

/** Serves until SIGTERM or SIGINT. A second signal ends the process at once; what it leaves is recovered at the next start. */
export async function serve(options: LoadConfigOptions = {}): Promise<void> {
  const server = await startServer(loadConfig(options));
  process.stdout.write(`Sluice listens on ${server.url}\n`);
  await new Promise<void>((resolve) => {
    const stop = () => {
      process.once('SIGTERM', () => process.exit(1)).once('SIGINT', () => process.exit(130));
      resolve();
    };
    process.once('SIGTERM', stop).once('SIGINT', stop);
  });
  await server.close();
}
