import { commandName, ignoredDotEnvNote, type LoadConfigOptions, loadConfig } from './config/load-config.ts';
import type { Config } from './config/parse-config.ts';
import { isForPeople } from './observability/logger.ts';
import { nextSteps } from './process/next-steps.ts';
import { onStopSignal } from './process/stop-signal.ts';
import { type RunningServer, startServer } from './server.ts';

const LINGER_MS = 1_000; // enough for every connection that still responds to close
/** Time limit of the shutdown; service managers kill after ten seconds or more. The next start recovers unfinished work. */
const SHUTDOWN_TIMEOUT_MS = 9_000;

/** Tells a person at the terminal what to do next, on stderr: stdout has one line, for scripts. */
async function tellNextSteps(server: RunningServer, { registration, role, publicUrl }: Config): Promise<void> {
  const command = commandName();
  if (role !== 'worker') {
    const url = publicUrl?.origin ?? server.url;
    const hasAccounts = await server.hasAccounts();
    const { hasConsole } = server;
    process.stderr.write(`\n${nextSteps({ url, command, hasAccounts, hasConsole, registration })}\n`);
  }
  const reportStart = async () => {
    if ((await server.sandboxWarning()) !== null) process.stderr.write(`What to do about it: ${command} doctor\n`);
  };
  void reportStart(); // the search for toolchains takes a moment, and the server may be stopped meanwhile
}

/** Serves until SIGTERM or SIGINT, or until the process cannot do its work any more: then it ends with an error. */
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
  if (isForPeople(config)) await tellNextSteps(server, config);
  const failure = await Promise.race([stopped, server.failed]);
  if (failure !== undefined) {
    process.stderr.write(`sluice: ${failure}\n`);
    process.exitCode = 1;
  }
  setTimeout(() => {
    process.stderr.write(`sluice: shutdown took longer than ${SHUTDOWN_TIMEOUT_MS / 1_000} s; exiting now.\n`);
    process.exit();
  }, SHUTDOWN_TIMEOUT_MS).unref();
  await server.close();
  // A hanging database does not close its end of a connection, which would keep the process alive.
  setTimeout(() => process.exit(), LINGER_MS).unref();
}
