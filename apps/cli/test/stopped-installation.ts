import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, startServer } from '@sluice/server';

/** A data folder with these registered users, and without a running server. */
export async function aStoppedInstallation(emails: readonly string[]): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-stopped-'));
  const config = loadConfig({ overrides: { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' } });
  const server = await startServer(config, { logFile: join(dataDir, 'sluice.log') });
  for (const email of emails) {
    const answer = await fetch(`${server.url}/api/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: 'a long enough passphrase' }),
    });
    if (answer.status !== 201) throw new Error(`the registration failed with ${answer.status}`);
  }
  await server.close();
  return dataDir;
}
