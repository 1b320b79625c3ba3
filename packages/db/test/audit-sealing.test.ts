import { type AuditHead, type AuditSealStore, acknowledgeAudit, auditRecords, verifyAudit } from '@sluice/core/audit';
import {
  anAuditSealer,
  isSoakRun,
  keptAuditHead,
  type PostgresDatabases,
  randomFrom,
  sharedPostgres,
} from '@sluice/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenHistory, openPgHistory, openSqliteHistory } from './audit-histories/open-history.ts';
import { keepCopy, putBack } from './audit-histories/tamperings.ts';

const SEED = 20_261_128;
const HISTORIES = isSoakRun ? 200 : 6;

let server: PostgresDatabases;
beforeAll(async () => {
  if (isSoakRun) server = await sharedPostgres();
});
afterAll(() => server?.[Symbol.asyncDispose]());

const engines: [string, () => Promise<OpenHistory>][] = [
  ['SQLite', openSqliteHistory],
  ...(isSoakRun ? [['Postgres', () => openPgHistory(server)] as [string, () => Promise<OpenHistory>]] : []),
];

class Killed extends Error {}

/** A machine whose sealer dies at any of its calls, before or after their effect; its head stays. */
function aMachine(store: AuditSealStore, random: () => number) {
  const kept = keptAuditHead();
  let left = Number.POSITIVE_INFINITY;
  const dying = <T extends object>(port: T): T => {
    const methods = Object.entries(port).map(([name, method]) => {
      const call = async (...args: unknown[]) => {
        left -= 1;
        if (left === 0) throw new Killed();
        const result = await (method as (...args: unknown[]) => Promise<unknown>)(...args);
        left -= 1;
        if (left === 0) throw new Killed();
        return result;
      };
      return [name, call];
    });
    return Object.fromEntries(methods) as T;
  };
  // A head that cannot be read is a reason to refuse, and a death is none.
  const sealer = anAuditSealer(dying(store), { heads: { read: kept.read, write: dying(kept).write } });
  return {
    kept,
    refused: sealer.refused,
    deps: { ...sealer.deps, store, heads: kept },
    run: async () => {
      left = random() < 0.4 ? 1 + Math.floor(random() * 14) : Number.POSITIVE_INFINITY;
      await sealer.run().catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
      });
      left = Number.POSITIVE_INFINITY;
    },
  };
}

const newest = (heads: readonly (AuditHead | null)[]) =>
  heads.reduce((one, other) => ((other?.number ?? 0) > (one?.number ?? 0) ? other : one), null);

describe.each(engines)('the sealing of the audit log on %s', (_engine, open) => {
  it(`raises no false alarm in ${HISTORIES} histories with deaths at any point`, async () => {
    const random = randomFrom(SEED);
    for (let history = 0; history < HISTORIES; history += 1) {
      await using opened = await open();
      const { auditSeals: store, audit } = opened.stores;
      const machines = [aMachine(store, random), aMachine(store, random)] as const;
      const headOf = async (at: (typeof machines)[number]) => await at.kept.read();
      const expectIntact = async () => {
        for (const machine of machines) {
          const head = await headOf(machine);
          const { findings } = await verifyAudit(auditRecords(store), { keys: machine.deps.keys, head });
          expect(findings, `history ${history}`).toEqual([]);
        }
      };
      const note = () => audit.note({ action: 'installation.keys_rotated', detail: { key: `${random()}` } });
      let hasCopy = false;
      for (let step = 0; step < 12; step += 1) {
        const which = random();
        const writes = Array.from({ length: Math.floor(random() * 5) }, note);
        if (which < 0.5) await Promise.all([...writes, ...machines.map((machine) => machine.run()), expectIntact()]);
        else if (which < 0.8) await Promise.all([...writes, machines[random() < 0.5 ? 0 : 1].run()]);
        else await Promise.all(writes);
        if (which > 0.95 && !hasCopy) {
          await keepCopy(opened, 'copy');
          hasCopy = true;
        } else if (which > 0.9 && hasCopy) {
          await opened.run(putBack('copy'));
          await note();
          await acknowledgeAudit(machines[0].deps, newest(await Promise.all(machines.map(headOf))));
        }
      }
      for (const machine of machines) await machine.deps.heads.read();
      await machines[0].run();
      await expectIntact();
      expect([...machines[0].refused, ...machines[1].refused], `history ${history}`).toEqual([]);
    }
  });
});

describe('an entry that is committed late on Postgres', () => {
  it('is covered by the seal of its own turn, though a later number was there before it', async () => {
    await using postgres = isSoakRun ? null : await sharedPostgres();
    await using opened = await openPgHistory(postgres ?? server);
    const { auditSeals: store, audit } = opened.stores;
    const note = (key: string) => audit.note({ action: 'installation.keys_rotated', detail: { key } });
    const sealer = anAuditSealer(store);
    await note('first');
    await sealer.run();
    await opened.run(`begin; insert into audit_entries (actor, action, detail, at)
      values ('operator', 'installation.keys_rotated', '{"key":"late"}', now())`);
    await note('quick');
    await sealer.run();
    const verdict = async () =>
      await verifyAudit(auditRecords(store), { keys: sealer.deps.keys, head: await sealer.deps.heads.read() });
    expect(await verdict()).toMatchObject({ last: { total: 1 }, unsealed: { entries: 1 }, findings: [] });
    await opened.run('commit');
    await sealer.run();
    await sealer.run();
    expect(await verdict()).toMatchObject({ last: { total: 3 }, unsealed: { entries: 0 }, findings: [] });
  });
});
