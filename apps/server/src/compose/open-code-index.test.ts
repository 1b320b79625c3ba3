import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChromaServer, settableClock, startChromaServer } from '@sluice/testing';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseConfig } from '../config/parse-config.ts';
import { openCodeIndex } from './open-code-index.ts';

let chroma: ChromaServer;
const dataDir = mkdtempSync(join(tmpdir(), 'sluice-code-index-'));

beforeAll(async () => {
  chroma = await startChromaServer();
});
afterAll(async () => {
  await chroma[Symbol.asyncDispose]();
  rmSync(dataDir, { recursive: true, force: true });
});

it('is unhealthy while the configured Chroma is unreachable, even without an embedding model', async () => {
  const config = parseConfig({ DATA_DIR: dataDir, CHROMA_URL: chroma.url.href });
  const log = pino({ level: 'silent' });
  const { codeIndex, health } = openCodeIndex({ config, log, clock: settableClock(), embedder: null });
  const signal = new AbortController().signal;
  await health.check(signal);
  await chroma.kill();
  await expect(health.check(signal)).rejects.toMatchObject({ code: 'not_ready' });
  await chroma.start();
  await health.check(signal);
  await codeIndex.close();
  await expect(health.check(signal)).rejects.toMatchObject({ code: 'shutting_down' });
});
