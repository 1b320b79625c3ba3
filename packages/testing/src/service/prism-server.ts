import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { freePort } from './free-port.ts';

/** A server that judges requests by an OpenAPI description. */
export interface PrismServer extends AsyncDisposable {
  readonly url: URL;
}

/** One thing that a description does not allow. */
export interface PrismViolation {
  /** `request` or `response`, then where in it. */
  readonly location: readonly string[];
  readonly severity: string;
  readonly message: string;
}

const require = createRequire(import.meta.url);
const READY_WITHIN_MS = 120_000; // a second or two on a quiet machine

/**
 * Starts Prism on a free port of this host. It answers with the description's examples and keeps nothing. What a request
 * may not be it answers with 404, 406 or 422 and a body whose `type` begins with `https://stoplight.io/prism`.
 */
export async function startPrismServer(description: object): Promise<PrismServer> {
  // Without `--errors`: some of the provider's examples are not what its schemas say.
  return await runPrism(description, (file) => ['mock', file]);
}

/**
 * Starts Prism on a free port of this host, before a server: it passes requests and answers on, and `prismViolations` of
 * an answer says what of the two the description does not allow. An answer is passed on when all of it is there.
 */
export async function startPrismProxy({ description, upstream }: { description: object; upstream: string }) {
  // Without `--errors`: a request that is meant to be refused has to reach the server, and of an answer whose status the
  // description does not have only the header tells. Without CORS, which is the server's own affair.
  return await runPrism(description, (file) => ['proxy', '--cors=false', file, upstream]);
}

/** What the proxy found in the exchange of which this is the answer. */
export function prismViolations(answer: Headers): PrismViolation[] {
  const found = answer.get('sl-violations');
  if (found === null) return [];
  // What is longer than a header may be is cut, and is no JSON then.
  const isWhole = found.startsWith('[');
  return isWhole ? JSON.parse(found) : [{ location: ['response'], severity: 'Error', message: found }];
}

/** Prism runs in a thread: it ends with its process, whatever becomes of that. */
async function runPrism(description: object, argsFor: (file: string) => readonly string[]): Promise<PrismServer> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-prism-'));
  const file = join(folder, 'description.json'); // Prism reads a file, and ends when that is gone
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  writeFileSync(file, JSON.stringify(description));
  try {
    const prism = await startThread(argsFor(file));
    return {
      url: prism.url,
      [Symbol.asyncDispose]: async () => {
        await prism[Symbol.asyncDispose]();
        remove();
        process.off('exit', remove);
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

async function startThread(args: readonly string[]): Promise<PrismServer> {
  const port = await freePort();
  const url = new URL(`http://127.0.0.1:${port}`);
  const thread = new Worker(require.resolve('@stoplight/prism-cli'), {
    argv: [...args, '--verboseLevel=error', '--host', '127.0.0.1', '--port', String(port)],
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  thread.unref();
  const output: string[] = [];
  for (const stream of [thread.stdout, thread.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => void output.splice(20, 1, text));
  }
  let hasEnded = false;
  thread
    .on('error', (error) => output.push(String(error)))
    .on('exit', () => {
      hasEnded = true;
    });
  const stop = async () => void (await thread.terminate()); // it keeps nothing
  for (const began = Date.now(); ; await pause(20)) {
    if (hasEnded) throw new Error(`Prism did not start: ${output.join('').trim()}`);
    const answered = await fetch(url, { signal: AbortSignal.timeout(30_000) }).catch(() => null);
    await answered?.body?.cancel();
    if (answered !== null) return { url, [Symbol.asyncDispose]: stop };
    if (Date.now() - began > READY_WITHIN_MS) {
      await stop();
      throw new Error(`Prism did not answer: ${output.join('').trim()}`);
    }
  }
}
