import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';

/** A server that answers as an OpenAPI description says, and refuses requests that the description does not allow. */
export interface PrismServer extends AsyncDisposable {
  readonly url: URL;
}

/** What of the provider's API Sluice uses, in the provider's own description. */
export const codeHostDescription = new URL('../codehost/fixtures/codehost-api.json', import.meta.url);

const require = createRequire(import.meta.url);
const READY_WITHIN_MS = 30_000;

/**
 * Starts Prism on a free port of this host. It answers with the description's examples and keeps nothing. What a request
 * may not be it answers with 404, 406 or 422 and a body whose `type` begins with `https://stoplight.io/prism`.
 */
export async function startPrismServer(description: URL = codeHostDescription): Promise<PrismServer> {
  const port = await freePort();
  const url = new URL(`http://127.0.0.1:${port}`);
  // Without `--errors`: some of the provider's examples are not what its schemas say.
  const args = ['mock', '--host', '127.0.0.1', '--port', String(port), fileURLToPath(description)];
  const child = spawn(process.execPath, [require.resolve('@stoplight/prism-cli'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => void said.splice(20, 1, text));
  }
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL'); // it keeps nothing
    await gone;
  };
  for (const began = Date.now(); ; await pause(20)) {
    if (child.exitCode !== null) throw new Error(`Prism did not start: ${said.join('').trim()}`);
    const answered = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
    await answered?.body?.cancel();
    if (answered !== null) return { url, [Symbol.asyncDispose]: stop };
    if (Date.now() - began > READY_WITHIN_MS) {
      await stop();
      throw new Error(`Prism did not answer: ${said.join('').trim()}`);
    }
  }
}
