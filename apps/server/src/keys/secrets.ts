import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { type EncryptionKey, encryptionKeyOf } from '../config/encryption-key.ts';
import type { Config } from '../config/parse-config.ts';
import { StartError } from '../process/start-error.ts';
import { syncFolder } from '../process/sync-folder.ts';

export interface Secrets {
  readonly sessionSecret: string;
  readonly encryptionKeys: readonly EncryptionKey[];
}

const fileSchema = z.object({
  session_secret: z.string().min(32),
  encryption_keys: z.array(z.object({ id: z.string(), key: z.string() })).min(1),
});

/**
 * The secrets of this installation, from the configuration or else from `DATA_DIR/secrets.json` (0600), which is created at
 * the first start.
 *
 * @throws StartError when the file is damaged: new secrets would make every stored token unreadable
 */
export function loadSecrets(config: Pick<Config, 'dataDir' | 'sessionSecret' | 'encryptionKeys'>): Secrets {
  if (config.sessionSecret !== null && config.encryptionKeys !== null) {
    return { sessionSecret: config.sessionSecret, encryptionKeys: config.encryptionKeys };
  }
  const path = join(config.dataDir, 'secrets.json');
  const stored = readSecrets(path) ?? makeSecrets(path);
  return {
    sessionSecret: config.sessionSecret ?? stored.sessionSecret,
    encryptionKeys: config.encryptionKeys ?? stored.encryptionKeys,
  };
}

export interface FoundSecret {
  readonly variable: 'SESSION_SECRET' | 'ENCRYPTION_KEYS';
  /** The source of its value; null when there is none yet. */
  readonly from: 'environment' | 'secrets.json' | null;
  /** In the variable's format. */
  readonly value: string | null;
}

/**
 * The secrets that this installation uses and their sources. Creates none.
 *
 * @throws StartError when `DATA_DIR/secrets.json` is damaged
 */
export function findSecrets(
  config: Pick<Config, 'dataDir' | 'sessionSecret' | 'encryptionKeys'>,
): readonly FoundSecret[] {
  const stored = readSecrets(join(config.dataDir, 'secrets.json'));
  const found = (variable: FoundSecret['variable'], given: string | null, kept: string | null): FoundSecret => ({
    variable,
    from: given !== null ? 'environment' : kept !== null ? 'secrets.json' : null,
    value: given ?? kept,
  });
  return [
    found('SESSION_SECRET', config.sessionSecret, stored?.sessionSecret ?? null),
    found('ENCRYPTION_KEYS', listOf(config.encryptionKeys), listOf(stored?.encryptionKeys ?? null)),
  ];
}

function listOf(keys: readonly EncryptionKey[] | null): string | null {
  return keys?.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(',') ?? null;
}

function readSecrets(path: string): Secrets | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') return null;
    throw new StartError(
      `secrets.json in the data folder cannot be read (${code}): make this user its owner, with mode 0600.`,
      {
        cause: error,
      },
    );
  }
  const secrets = parseSecrets(text);
  if (secrets !== null) return secrets;
  throw new StartError(
    'secrets.json in the data folder is damaged: restore it from a backup, or set SESSION_SECRET and ENCRYPTION_KEYS.',
  );
}

function parseSecrets(text: string): Secrets | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return null;
  }
  const file = fileSchema.safeParse(json);
  if (!file.success) return null;
  const keys = file.data.encryption_keys.map(({ id, key }) => encryptionKeyOf(id, key));
  const encryptionKeys = keys.filter((key) => key !== null);
  return encryptionKeys.length < keys.length ? null : { sessionSecret: file.data.session_secret, encryptionKeys };
}

/** Written to a temporary file and linked into place: a kill leaves no partial file, and of two first starts one wins. */
function makeSecrets(path: string): Secrets {
  const secrets = {
    session_secret: randomBytes(48).toString('base64'),
    encryption_keys: [{ id: '1', key: randomBytes(32).toString('base64') }],
  };
  // A random name: in a container every start has the same pid, and a killed start may have left its file.
  const temporary = `${path}.${randomBytes(6).toString('hex')}.new`;
  writeFileSync(temporary, `${JSON.stringify(secrets, null, 2)}\n`, { flag: 'wx', mode: 0o600, flush: true });
  try {
    linkSync(temporary, path);
    syncFolder(dirname(path)); // otherwise a power failure may keep the encrypted tokens and lose their keys
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(temporary);
  }
  const made = readSecrets(path);
  if (made === null)
    throw new StartError('secrets.json in the data folder disappeared while it was being created: start again.');
  return made;
}
