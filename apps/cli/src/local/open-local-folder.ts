import { setTimeout as sleep } from 'node:timers/promises';
import { createSluiceClient, type SluiceClient } from '@sluice/client';
import { announceSuccessor, forgetSuccessor, hasSuccessor, readHolder } from './holder-file.ts';
import { isInUse, withAdvice } from './local-data.ts';
import {
  type GivenConfiguration,
  LOCAL_ORIGIN,
  type LocalServer,
  localCookies,
  onServer,
  startLocalServer,
} from './local-server.ts';

/**
 * The issues of a data folder. One process at a time has the folder: its lock decides. A command whose folder another one
 * has talks to that one's server, and takes the folder over when that one ends, in the middle of whatever it follows.
 */
export interface LocalFolder extends AsyncDisposable {
  readonly client: SluiceClient;
  /** Whether another process has the folder now. */
  isHeldElsewhere(): boolean;
  /** Whether the work goes on in another process when this one ends: it has the folder, or takes it over. */
  goesOnElsewhere(): Promise<boolean>;
  /** Gives the folder up while nothing is read, e.g. while a question is asked. The next call opens it again. */
  release(): Promise<void>;
}

export interface LocalFolderOptions {
  /** Whether this process continues the issues of the folder while it has it. */
  readonly works: boolean;
  readonly configuration?: GivenConfiguration;
  /** Says what happens to the folder, e.g. that this process has taken it over. */
  readonly message: (text: string) => void;
}

interface Place {
  readonly url: string;
  /** Null if another process has the folder. */
  readonly server: LocalServer | null;
}

const RETRY_MS = 50;
const SILENCE_MS = 2_000;
const PATIENCE_MS = 60_000; // longer than a command holds a folder without announcing itself

/** Opens the folder, or the server of the process that has it. */
export async function openLocalFolder(dataDir: string, options: LocalFolderOptions): Promise<LocalFolder> {
  const { works, message, configuration = { overrides: {} } } = options;
  let place: Promise<Place> | null = null;
  let isAttached = false;
  let isClosed = false;
  const open = async (): Promise<Place> => {
    const found = await findPlace(dataDir, { works, configuration, message });
    if (isAttached && found.server !== null && works)
      message('The other run has ended. This one goes on with its work.');
    isAttached = found.server === null;
    if (works) await (isAttached ? announceSuccessor(dataDir) : forgetSuccessor(dataDir));
    if (works && found.server !== null && found.server.sandboxWarning !== null) message(found.server.sandboxWarning);
    return found;
  };
  const opened = (): Promise<Place> => {
    if (isClosed && place === null) throw new Error('The folder is closed.');
    if (place === null) {
      const opening = open();
      opening.catch(() => {
        if (place === opening) place = null;
      });
      place = opening;
    }
    return place;
  };
  const fetchFromPlace = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    for (const until = Date.now() + PATIENCE_MS; ; await sleep(RETRY_MS)) {
      init.signal?.throwIfAborted();
      const current = opened();
      const { url, server } = await current;
      try {
        // house-rule(host-names): a local server, at a loopback address
        const response = await fetch(onServer(input, url), init);
        // A server removes its announcement before it shuts down.
        if (server !== null || response.status !== 503 || (await readHolder(dataDir))?.url === url) return response;
        await response.body?.cancel();
      } catch (error) {
        // A refused request was not handled; a read may be handled twice.
        const isRepeatable = isRefused(error) || isRead(init);
        if (server !== null || init.signal?.aborted === true || !isRepeatable || Date.now() > until) throw error;
      }
      if (place === current) place = null;
    }
  };
  const close = async () => {
    const { server } = (await place?.catch(() => null)) ?? { server: null };
    if (server === null) return;
    await server[Symbol.asyncDispose]();
  };
  const client = createSluiceClient({ url: LOCAL_ORIGIN, cookies: localCookies(dataDir), fetch: fetchFromPlace });
  await opened();
  return {
    client,
    isHeldElsewhere: () => isAttached,
    goesOnElsewhere: async () => isAttached || (await hasSuccessor(dataDir)),
    release: async () => {
      await close();
      place = null;
    },
    [Symbol.asyncDispose]: async () => {
      isClosed = true;
      if (works && isAttached) await forgetSuccessor(dataDir);
      await close();
    },
  };
}

async function findPlace(
  dataDir: string,
  how: Pick<LocalFolderOptions, 'works' | 'message'> & { configuration: GivenConfiguration },
): Promise<Place> {
  const since = Date.now();
  for (let isReported = false; ; ) {
    try {
      const server = await startLocalServer(dataDir, how);
      return { url: server.url, server };
    } catch (error) {
      if (!isInUse(error)) throw error;
      const holder = await readHolder(dataDir);
      if (holder !== null) return { url: holder.url, server: null };
      const waited = Date.now() - since;
      if (waited > PATIENCE_MS) throw withAdvice(error);
      if (waited > SILENCE_MS && !isReported) {
        isReported = true;
        how.message(`Another process uses ${dataDir}. Waiting for its end, at most a minute.`);
      }
    }
    await sleep(RETRY_MS); // it is starting, ending, or reads for a moment
  }
}

function isRead({ method = 'GET' }: RequestInit): boolean {
  return method === 'GET';
}

function isRefused(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if ((at as NodeJS.ErrnoException).code === 'ECONNREFUSED') return true;
  }
  return false;
}
