import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import type { Server } from 'node:http';
import { createHttpServer } from '@sluice/api';
import type { SandboxProbe } from '@sluice/core/workspace';
import type { Logger } from 'pino';
import { compose } from './compose.ts';
import { isLoopback } from './config/loopback.ts';
import type { Config } from './config/parse-config.ts';
import { createLogger, isForPeople } from './observability/logger.ts';
import { createMetrics } from './observability/metrics/create-metrics.ts';
import { type MetricsServer, serveMetrics } from './observability/metrics/metrics-server.ts';
import { bothObservers } from './observability/observer.ts';
import type { Tracing } from './observability/tracing/tracing.ts';
import { refuseOldGit } from './process/git-version.ts';
import { listen } from './process/listen.ts';
import { dataFolderError } from './process/start-error.ts';

export interface StartOptions {
  /** Log into this file instead of stderr. */
  readonly logFile?: string;
}

/** A running server. */
export interface RunningServer {
  /** The actual address, e.g. `http://127.0.0.1:3000`. */
  readonly url: string;
  /** The URL of the metrics, or null. */
  readonly metricsUrl: string | null;
  /** Whether it serves the console. */
  readonly hasConsole: boolean;
  /** A sentence if commands of repositories run without a sandbox, or cannot run; known once the sandbox was tried. */
  sandboxWarning(): Promise<string | null>;
  /** Resolves with a sentence when the process cannot do its work any more and only a new one may. */
  readonly failed: Promise<string>;
  /** Whether somebody has an account; null if the database does not say. */
  hasAccounts(): Promise<boolean | null>;
  /** Stops accepting requests, ends streams, releases running issues and closes the database. */
  close(): Promise<void>;
}

// Requests in flight may finish within this time.
const REQUEST_DRAIN_MS = 5_000;
const IDLE_CHECK_MS = 25;

/**
 * Starts the whole service in this process.
 *
 * @throws StartError when git is too old, the data folder is in use by another process or damaged, or the port is in use
 */
export async function startServer(config: Config, options: StartOptions = {}): Promise<RunningServer> {
  await refuseOldGit(config.path);
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw dataFolderError(error);
  });
  const log = createLogger(config, options.logFile ?? null);
  const metrics = createMetrics();
  const tracing = await startTracing(config, log);
  const observer = tracing === null ? metrics : bothObservers(metrics, tracing.observer);
  const service = await compose(config, log, { ...metrics, observer });
  const http = createHttpServer();
  http.on('request', observer.requestCame); // registered before the API's handlers
  let metricsServer: MetricsServer | null = null;
  try {
    const url = await listen(http, { ...config, portVariable: 'PORT' });
    if (config.metricsPort !== null) {
      metricsServer = await serveMetrics(metrics, { host: config.host, port: config.metricsPort }, log);
    }
    const { url: metricsUrl = null } = metricsServer ?? {};
    const publicUrl = config.publicUrl ?? new URL(url);
    const api = service.createApi({ publicUrl });
    api.serve(http);
    await service.startWorker({ publicUrl });
    // People are told by `serve`, in fewer words.
    if (options.logFile !== undefined || !isForPeople(config)) reportStart(log, { url, metricsUrl, config });
    warnOfPlainHttp(log, config);
    // Its search of the toolchains takes longer than the rest of a start; the first command waits for it.
    const probed = service.probeSandbox().then(
      (probe) => reportSandbox(log, probe),
      (error: unknown) => {
        log.error({ err: error }, 'the sandbox could not be checked; the first command checks it again');
        return null;
      },
    );
    return {
      url,
      metricsUrl,
      hasConsole: service.hasConsole,
      failed: service.failed,
      sandboxWarning: () => probed,
      hasAccounts: () => service.hasAccounts().catch(() => null),
      close: async () => {
        const closed = closeHttp(http);
        api.closeStreams();
        await Promise.all([closed, service.stopWorker()]);
        await api.settle();
        await metricsServer?.close();
        await service.close();
        await tracing?.close();
        await probed; // last: it may take longer than a stopping process is given
        log.info('stopped');
        log.flush();
      },
    };
  } catch (error) {
    await metricsServer?.close();
    http.close(); // otherwise the listening socket keeps the process alive
    await service.close();
    await tracing?.close();
    throw error;
  }
}

/** Null if no collector is configured; then no tracing code is loaded. */
async function startTracing({ tracing, role }: Config, log: Logger): Promise<Tracing | null> {
  if (tracing === null) return null;
  const { openTracing } = await import('./observability/tracing/open-tracing.ts');
  return openTracing({ ...tracing, role }, log);
}

async function closeHttp(http: Server): Promise<void> {
  const closed = once(http, 'close');
  http.close();
  // A busy connection becomes idle after its response, and its client may keep it open.
  const idle = setInterval(() => http.closeIdleConnections(), IDLE_CHECK_MS);
  const drain = setTimeout(() => http.closeAllConnections(), REQUEST_DRAIN_MS);
  await closed;
  clearInterval(idle);
  clearTimeout(drain);
}

/** Logs what the sandbox provides, and returns the warning if there is one. */
function reportSandbox(log: Logger, probe: SandboxProbe | null): string | null {
  if (probe === null) return null;
  const warning = warningOf(probe);
  const fields = { sandbox: probe.kind, sandbox_gaps: probe.gaps };
  if (warning === null) log.info(fields, 'the sandbox works');
  else log.warn(fields, warning);
  return warning;
}

function warningOf(probe: SandboxProbe): string | null {
  if (!probe.usable)
    return `Commands cannot run on this machine, so nothing can be tested: ${probe.problem ?? 'the sandbox does not work'}`;
  if (probe.kind === 'none') return 'SANDBOX=none: commands of repositories run WITHOUT a sandbox, with your rights.';
  return null;
}

function warnOfPlainHttp(log: Logger, { host, publicUrl }: Config): void {
  if (!isLoopback(host) && publicUrl?.protocol !== 'https:')
    log.warn('PUBLIC_URL is not https: session cookies are sent unencrypted.');
}

function reportStart(log: Logger, facts: { url: string; metricsUrl: string | null; config: Config }): void {
  const { url, metricsUrl, config } = facts;
  const fields = {
    url,
    metrics_url: metricsUrl,
    models: config.models.byStage,
    codehost: config.codehost?.url ?? null,
    data_dir: config.dataDir,
    registration: config.registration,
  };
  log.info(fields, `listening on ${url}`);
}
