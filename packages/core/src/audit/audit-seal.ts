import { createHash, createHmac, type Hash, timingSafeEqual } from 'node:crypto';

// The chain over the audit log. A seal covers a range of entries: its digest is a hash over every column of each of them, and
// its MAC is made with a key that is not in the database. Each seal holds a hash of the one before it with its MAC, so one
// genuine seal vouches for all before it, also for those of a key that has been rotated out since.

/** A row of the audit log as it is sealed: the values of its columns, by their names in the database. */
export type AuditRow = Readonly<Record<string, unknown>> & { readonly ordinal: number };

/** What a seal says, without its MAC. */
export interface SealContent {
  readonly number: number;
  /** 0: it is the first. A gap between the two numbers is signed: see `acknowledgeAudit`. No two seals have the same. */
  readonly previousNumber: number;
  /** The hash of the seal before it, with its MAC. */
  readonly previous: string | null;
  readonly fromOrdinal: number;
  /** One less than `fromOrdinal` where it covers no entry. */
  readonly toOrdinal: number;
  /** How many entries it covers. Ordinals have gaps: a write that was rolled back leaves one. */
  readonly entries: number;
  /** How many it and all seals before it cover. */
  readonly total: number;
  readonly digest: string;
  readonly keyId: string;
  readonly sealedAt: Date;
}

export interface AuditSeal extends SealContent {
  readonly mac: string;
}

/** The keys that make and check MACs. */
export interface AuditKeys {
  /** The one that new seals are made with. */
  readonly current: AuditKey;
  find(id: string): AuditKey | null;
}

export interface AuditKey {
  readonly id: string;
  readonly secret: Uint8Array;
}

/** The seals of the audit log, and its entries as rows. */
export interface AuditSealStore {
  /** The ordinal up to which no further entry can appear. With several writers a lower ordinal may be committed later. */
  settled(): Promise<number>;
  /** In the order of their ordinals. Values that cannot be read are given as text that no genuine entry has. */
  entries(range: { readonly after: number | null; readonly limit: number }): Promise<readonly AuditRow[]>;
  /** In the order of their numbers. */
  seals(range: { readonly after: number | null; readonly limit: number }): Promise<readonly AuditSeal[]>;
  last(): Promise<AuditSeal | null>;
  /** False if there is a seal of that number, or after the same one: another process was faster. */
  add(seal: AuditSeal): Promise<boolean>;
}

/** Digests entries one by one. Columns without a value are left out, so a new column changes no earlier digest. */
export function createDigest(): { add(row: AuditRow): void; end(): string } {
  const hash: Hash = createHash('sha256');
  return {
    add: (row) => {
      const set = Object.entries(row).filter(([, value]) => value !== null && value !== undefined);
      hash.update(`${exactJson(Object.fromEntries(set))}\n`);
    },
    end: () => hash.digest('hex'),
  };
}

export function sealed(content: SealContent, key: AuditKey): AuditSeal {
  return { ...content, mac: macOf(content, key) };
}

export function isGenuine(seal: AuditSeal, key: AuditKey): boolean {
  const [expected, found] = [Buffer.from(macOf(seal, key)), Buffer.from(String(seal.mac))];
  return expected.length === found.length && timingSafeEqual(expected, found);
}

/** What the next seal holds of this one. */
export function linkOf(seal: AuditSeal): string {
  return createHash('sha256')
    .update(`${textOf(seal)}\n${seal.mac}`)
    .digest('hex');
}

function macOf(content: SealContent, { secret }: AuditKey): string {
  return createHmac('sha256', secret).update(textOf(content)).digest('hex');
}

function textOf(content: SealContent): string {
  const { number, previousNumber, previous, fromOrdinal, toOrdinal, entries, total, digest, keyId, sealedAt } = content;
  const at = Number.isNaN(sealedAt.getTime()) ? 'no time' : sealedAt.toISOString();
  return exactJson([1, number, previousNumber, previous, fromOrdinal, toOrdinal, entries, total, digest, keyId, at]);
}

/** The same text for equal values, whatever the order of their members. Unlike `canonicalJson` it leaves nothing out. */
function exactJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(exactJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${exactJson(member)}`).join(',')}}`;
}
