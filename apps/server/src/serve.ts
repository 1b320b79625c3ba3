import { ignoredDotEnvNote, type LoadConfigOptions, loadConfig } from './config/load-config.ts';
import { onStopSignal } from './process/stop-signal.ts';
import { startServer } from './server.ts';

const LINGER_MS = 1_000; // enough for every connection that still responds to close
/** Time limit of the shutdown; service managers kill after ten seconds or more. The next start recovers unfinished work. */
const SHUTDOWN_TIMEOUT_MS = 9_000;

/** Serves until SIGTERM or SIGINT. */
export async function serve(options: LoadConfigOptions = {}): Promise<void> {
  const config = loadConfig(options);
  const note = ignoredDotEnvNote(options);
  if (note !== null) process.stderr.write(`sluice: ${note}\n`);
  const server = await startServer(config);
  const stopped = new Promise<void>((resolve) => {
    onStopSignal(resolve);
  });
  // A reader of this line may send a signal before the next statement has run, so the handler is set already.
  process.stdout.write(`Sluice listens on ${server.url}\n`);
  await stopped;
  setTimeout(() => {
    process.stderr.write(`sluice: shutdown took longer than ${SHUTDOWN_TIMEOUT_MS / 1_000} s; exiting now.\n`);
    process.exit();
  }, SHUTDOWN_TIMEOUT_MS).unref();
  await server.close();
  // A hanging database does not close its end of a connection, which would keep the process alive.
  setTimeout(() => process.exit(), LINGER_MS).unref();
}
