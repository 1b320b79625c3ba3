import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { Config, EncryptionKey } from './config/parse-config.ts';

export interface Secrets {
  readonly sessionSecret: string;
  readonly encryptionKeys: readonly EncryptionKey[];
}

const fileSchema = z.object({
  session_secret: z.string().min(32),
  encryption_keys: z.array(z.object({ id: z.string(), key: z.base64() })).min(1),
});

/**
 * The secrets of this installation: from the configuration, and for what it does not give from
 * `DATA_DIR/secrets.json` (0600), which is made at the first start.
 *
 * @throws Error when the file is there but damaged: making new secrets would lock every stored token away
 */
export function loadSecrets(config: Config): Secrets {
  if (config.sessionSecret !== null && config.encryptionKeys !== null) {
    return { sessionSecret: config.sessionSecret, encryptionKeys: config.encryptionKeys };
  }
  const path = join(config.dataDir, 'secrets.json');
  const stored = readSecrets(path) ?? makeSecrets(path);
  return {
    sessionSecret: config.sessionSecret ?? stored.session_secret,
    encryptionKeys:
      config.encryptionKeys ?? stored.encryption_keys.map(({ id, key }) => ({ id, key: Buffer.from(key, 'base64') })),
  };
}

function readSecrets(path: string): z.infer<typeof fileSchema> | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    return fileSchema.parse(JSON.parse(text));
  } catch {
    throw new Error(
      'secrets.json in the data folder is damaged: restore it from a backup, or set SESSION_SECRET and ENCRYPTION_KEYS.',
    );
  }
}

/** Written aside and linked into place: a kill leaves no half file, and of two first starts one wins. */
function makeSecrets(path: string): z.infer<typeof fileSchema> {
  const secrets = {
    session_secret: randomBytes(48).toString('base64'),
    encryption_keys: [{ id: '1', key: randomBytes(32).toString('base64') }],
  };
  const aside = `${path}.${process.pid}.new`;
  const file = openSync(aside, 'wx', 0o600);
  try {
    writeSync(file, `${JSON.stringify(secrets, null, 2)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    linkSync(aside, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(aside);
  }
  return readSecrets(path) ?? secrets;
}
