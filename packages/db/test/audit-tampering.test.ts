import { auditRecords, verifyAudit } from '@sluice/core/audit';
import {
  anAuditSealer,
  auditKeys,
  isSoakRun,
  newId,
  type PostgresDatabases,
  randomFrom,
  sharedPostgres,
} from '@sluice/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenHistory, openPgHistory, openSqliteHistory } from './audit-histories/open-history.ts';
import { keepCopy, type SealedHistory, tamperings, undo } from './audit-histories/tamperings.ts';

const SEED = 20_261_127;
const TAMPERINGS = isSoakRun ? 1_000 : 64;
const PER_HISTORY = isSoakRun ? 50 : 32;

let server: PostgresDatabases;
beforeAll(async () => {
  if (isSoakRun) server = await sharedPostgres();
});
afterAll(() => server?.[Symbol.asyncDispose]());

const engines: [string, () => Promise<OpenHistory>][] = [
  ['SQLite', openSqliteHistory],
  ...(isSoakRun ? [['Postgres', () => openPgHistory(server)] as [string, () => Promise<OpenHistory>]] : []),
];

type Grown = SealedHistory & Pick<ReturnType<typeof anAuditSealer>, 'deps'> & { seal(): Promise<void> };

/** Some hundred entries in some dozens of seals. */
async function grow(history: OpenHistory, random: () => number): Promise<Grown> {
  const sealer = anAuditSealer(history.stores.auditSeals);
  const id = () => `'${newId()}'`;
  const ids = [id(), id(), id()];
  const one = (of: readonly string[]) => of[Math.floor(random() * of.length)] ?? 'null';
  const rounds = 8 + Math.floor(random() * 20);
  let ordinal = 0;
  for (let round = 0; round < rounds; round += 1) {
    const entries = Array.from({ length: 1 + Math.floor(random() * 12) }, () => {
      ordinal += random() < 0.2 ? 3 : 1; // writes that were rolled back leave gaps
      const detail = `'${JSON.stringify({ n: Math.floor(random() * 9), text: 'Zoë "x"' })}'`;
      const actor = one(["'user'", "'operator'", "'service'"]);
      const action = one(["'issue.decided'", "'session.opened'", "'account.disabled'"]);
      const values = [
        one([...ids, 'null']),
        actor,
        one([...ids, 'null']),
        action,
        one(ids),
        one([...ids, 'null']),
        detail,
      ];
      return { ordinal, values: `${values.join(', ')}, ${1_795_166_100_000 + ordinal}` };
    });
    await history.add(entries);
    await sealer.run();
    if (round === Math.floor(rounds / 2)) await keepCopy(history, 'old');
  }
  await keepCopy(history, 'sealed');
  const ordinals = await history.numbers('select ordinal from audit_entries order by ordinal');
  const seals = await history.numbers('select number from audit_seals order by number');
  expect(seals).toHaveLength(rounds);
  return { ...history, ...sealer, run: history.run, seal: sealer.run, ordinals, seals, old: 'old', sealed: 'sealed' };
}

const verdictOn = ({ stores, deps }: Grown) =>
  deps.heads.read().then((kept) => verifyAudit(auditRecords(stores.auditSeals), { keys: deps.keys, head: kept }));

describe.each(engines)('a verification of the audit log on %s', (_engine, open) => {
  it(`finds each of ${TAMPERINGS} random tamperings, and none before and after`, async () => {
    const random = randomFrom(SEED);
    const names = Object.keys(tamperings);
    const missed: string[] = [];
    let tampered = 0;
    while (tampered < TAMPERINGS) {
      await using opened = await open();
      const history = await grow(opened, random);
      expect((await verdictOn(history)).findings).toEqual([]);
      const kept = await history.deps.heads.read();
      for (let one = 0; one < PER_HISTORY && tampered < TAMPERINGS; one += 1, tampered += 1) {
        const name = names[tampered % names.length] as string;
        await tamperings[name]?.(history, random);
        const { findings } = await verdictOn(history);
        if (findings.length === 0) missed.push(`${tampered}: ${name}`);
        for (const { from, to, text } of findings) {
          expect(from, text).toBeLessThanOrEqual(to);
          expect(text).toMatch(/^[A-Z0-9].*\.$/);
        }
        // A sealer that goes on afterwards must not hide it.
        await history.seal();
        if ((await verdictOn(history)).findings.length === 0) missed.push(`${tampered}: ${name}, and sealed on`);
        await undo(history);
        if (kept !== null) await history.deps.heads.write(kept);
      }
      expect((await verdictOn(history)).findings).toEqual([]);
    }
    expect(missed).toEqual([]);
    expect(tampered).toBe(TAMPERINGS);
  });
});

describe('a verification without the key', () => {
  it('says that nothing vouches for the seals, and finds what was changed all the same', async () => {
    await using opened = await openSqliteHistory();
    const history = await grow(opened, randomFrom(1));
    const read = () => verifyAudit(auditRecords(opened.stores.auditSeals), { keys: auditKeys('other'), head: null });
    expect((await read()).findings.map(({ kind }) => kind)).toEqual(['key_missing']);
    await opened.run(`delete from audit_entries where ordinal = ${history.ordinals[4]}`);
    expect((await read()).findings.map(({ kind }) => kind)).toEqual(['entries_removed', 'key_missing']);
  });
});
