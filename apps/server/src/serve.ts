import { type LoadConfigOptions, loadConfig } from './config/load-config.ts';
import { onStopSignal } from './process/stop-signal.ts';
import { startServer } from './server.ts';

const LINGER_MS = 1_000; // all is closed by then that anybody answers
/** From the signal to the end, whatever hangs; service managers kill after ten seconds and more. What is left is recovered at the next start. */
const STOP_MS = 9_000;

/** Serves until SIGTERM or SIGINT. */
export async function serve(options: LoadConfigOptions = {}): Promise<void> {
  const server = await startServer(loadConfig(options));
  const stopped = new Promise<void>((resolve) => {
    onStopSignal(resolve);
  });
  // Whoever reads this may tell it to stop before the next line has run.
  process.stdout.write(`Sluice listens on ${server.url}\n`);
  await stopped;
  setTimeout(() => {
    process.stderr.write(`sluice: not all was closed ${STOP_MS / 1_000} s after the signal; the process ends now.\n`);
    process.exit();
  }, STOP_MS).unref();
  await server.close();
  // A database that hangs does not close its end of a connection, and an open one keeps the process alive.
  setTimeout(() => process.exit(), LINGER_MS).unref();
}
