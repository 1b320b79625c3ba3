import { type LoadConfigOptions, loadConfig } from './config.ts';
import { startServer } from './server.ts';
import { onStopSignal } from './stop-signal.ts';

const LINGER_MS = 1_000; // all is closed by then that anybody answers

/** Serves until SIGTERM or SIGINT. */
export async function serve(options: LoadConfigOptions = {}): Promise<void> {
  const server = await startServer(loadConfig(options));
  process.stdout.write(`Sluice listens on ${server.url}\n`);
  await new Promise<void>((resolve) => {
    onStopSignal(resolve);
  });
  await server.close();
  // A database that hangs does not close its end of a connection, and an open one keeps the process alive.
  setTimeout(() => process.exit(), LINGER_MS).unref();
}
