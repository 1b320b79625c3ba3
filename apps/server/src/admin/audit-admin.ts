import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  type AuditFilter,
  type AuditFinding,
  type AuditHead,
  type AuditKeys,
  type AuditRecord,
  acknowledgeAudit,
  auditRecords,
  headOf,
  matchesAudit,
  parseAuditLine,
  printAuditLine,
  verifyAudit,
} from '@sluice/core/audit';
import { AUDIT_HEAD_FILE, auditHeadFile, readAuditHead } from '../audit/audit-head-file.ts';
import { auditKeysOf } from '../audit/audit-keys.ts';
import { openAdminStores } from '../compose/open-admin-stores.ts';
import { type LoadConfigOptions, loadConfig } from '../config/load-config.ts';
import type { Config } from '../config/parse-config.ts';
import { loadSecrets } from '../keys/secrets.ts';
import { StartError } from '../process/start-error.ts';

export interface AuditVerification {
  /** Whether nothing was found. */
  readonly intact: boolean;
  readonly entries: number;
  readonly seals: number;
  /** The last seal, as the head of the log. Keep a copy of it elsewhere. */
  readonly last: AuditHead | null;
  /** The newest head that was known, with which the end was compared. */
  readonly head: AuditHead | null;
  readonly unsealed: { readonly entries: number; readonly since: string | null };
  /** Seals that are missing on purpose: the database was put back from a copy, and a later seal says so. */
  readonly put_back: readonly { readonly from_seal: number; readonly to_seal: number; readonly at: string }[];
  readonly findings: readonly AuditFinding[];
  readonly more_findings: number;
}

export interface VerifyOptions extends LoadConfigOptions {
  /** A head that was kept elsewhere. */
  readonly head?: string | undefined;
  /** An export to check in place of the database. */
  readonly file?: string | undefined;
}

/**
 * Checks the audit log of the database, or an export of it, against its seals. Servers may run.
 *
 * @throws ConfigError
 * @throws StartError when the database or a file cannot be read
 */
export async function verifyAuditLog({ head: given, file, ...options }: VerifyOptions): Promise<AuditVerification> {
  const config = loadConfig(options);
  const other = given === undefined ? null : await headAt(given);
  if (given !== undefined && other === null) throw new StartError(`The head ${given} does not exist.`);
  if (file !== undefined)
    return toVerification(await verifyAudit(linesOf(file), { keys: keysOf(config), head: other }), other);
  await using stores = await openAdminStores(config, { besideServer: true }); // completes a restore, which brings both
  const keys = keysOf(config);
  const own = await headAt(join(config.dataDir, AUDIT_HEAD_FILE)); // before the seals, which go on meanwhile
  const [head, older] = (other?.number ?? 0) > (own?.number ?? 0) ? [other, own] : [own, other];
  const verdict = await verifyAudit(auditRecords(stores.auditSeals), { keys, head });
  if (older === null || verdict.findings.length > 0) return toVerification(verdict, head);
  // The older one may be of another history.
  const again = await verifyAudit(auditRecords(stores.auditSeals), { keys, head: older });
  return toVerification({ ...verdict, findings: again.findings }, head);
}

/** Makes no secrets where the environment has them. */
function keysOf(config: Config): AuditKeys {
  return auditKeysOf(config.encryptionKeys ?? loadSecrets(config).encryptionKeys);
}

/** The head in a file; null where there is none. @throws StartError when it cannot be read */
async function headAt(path: string): Promise<AuditHead | null> {
  try {
    return await readAuditHead(path);
  } catch (error) {
    throw new StartError(`The head of the audit log cannot be read: ${(error as Error).message}.`, { cause: error });
  }
}

function toVerification(
  { entries, seals, last, unsealed, putBack, findings, more }: Awaited<ReturnType<typeof verifyAudit>>,
  head: AuditHead | null,
): AuditVerification {
  return {
    intact: findings.length === 0,
    entries,
    seals,
    last: last === null ? null : headOf(last),
    head,
    unsealed,
    put_back: putBack.map(({ from, to, at }) => ({ from_seal: from, to_seal: to, at: at.toISOString() })),
    findings,
    more_findings: more,
  };
}

async function* linesOf(file: string): AsyncGenerator<AuditRecord> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  let number = 0;
  try {
    for await (const line of lines) {
      number += 1;
      if (line === '') continue;
      const record = parseAuditLine(line);
      if (record === null)
        throw new StartError(`Line ${number} of ${file} is not a line of an export of the audit log.`);
      yield record;
    }
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`The export ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`, {
      cause: error,
    });
  }
}

/**
 * The audit log as JSON lines: each seal, and after it the entries that it covers. With a filter, some entries and no
 * seals: those cover all.
 *
 * @throws ConfigError
 * @throws StartError when the database cannot be opened
 */
export async function* exportAuditLog(
  options: LoadConfigOptions & { readonly filter?: AuditFilter },
): AsyncGenerator<string> {
  const { filter = {}, ...rest } = options;
  const isWhole = Object.keys(filter).length === 0;
  await using stores = await openAdminStores(loadConfig(rest), { besideServer: true });
  for await (const record of auditRecords(stores.auditSeals)) {
    if (isWhole || (record.type === 'entry' && matchesAudit(record.row, filter))) yield printAuditLine(record);
  }
}

export interface AuditAcknowledgement {
  /** The seal that the database ended with; 0: none. */
  readonly found: number;
  /** The seal of the newest head that was known. */
  readonly known: number;
  readonly head: AuditHead;
}

/**
 * Goes on with the audit log as the database holds it, though it is not what was sealed last, and records that in it.
 *
 * @throws ConfigError
 * @throws StartError when the database or the head cannot be read, or another process stands in the way
 */
export async function acknowledgeAuditLog({
  head: given,
  ...options
}: Omit<VerifyOptions, 'file'>): Promise<AuditAcknowledgement> {
  const config = loadConfig(options);
  const own = await readAuditHead(join(config.dataDir, AUDIT_HEAD_FILE)).catch(() => null);
  const other = given === undefined ? null : await headAt(given);
  const known = (other?.number ?? 0) > (own?.number ?? 0) ? other : own;
  await using stores = await openAdminStores(config, { besideServer: true });
  const keys = keysOf(config);
  const found = (await stores.auditSeals.last())?.number ?? 0;
  const numbers = { found, known: known?.number ?? 0 };
  await stores.audit.note({ action: 'installation.audit_acknowledged', detail: numbers });
  const heads = auditHeadFile(config.dataDir);
  const quiet = { onSealed: () => undefined, onRefused: () => undefined };
  const clock = { now: () => new Date() };
  await acknowledgeAudit({ store: stores.auditSeals, keys, heads, clock, ...quiet }, known);
  const head = await heads.read();
  if (head === null) throw new StartError('The head of the audit log was not kept: is the data folder writable?');
  return { ...numbers, head };
}
