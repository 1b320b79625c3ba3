import { acknowledgeAudit, auditRecords, type InstallationAct, verifyAudit } from '@sluice/core/audit';
import { describe, expect, it } from 'vitest';
import { anAuditSealer, auditKeys, keptAuditHead } from '../builder/an-audit-sealer.ts';
import { atOnce, type OpenStores, type StoreHarness } from './store-harness.ts';

const act = (key: string): InstallationAct => ({ action: 'installation.keys_rotated', detail: { key } });

/** What an `AuditSealStore` promises on any database, and the sealing over it. */
export function auditSealContract(name: string, open: OpenStores): void {
  const note = ({ audit }: StoreHarness, count: number) => atOnce(count, (index) => audit.note(act(`key ${index}`)));
  const verdictOn = async (
    { auditSeals }: StoreHarness,
    sealer: ReturnType<typeof anAuditSealer>,
    keys = sealer.deps.keys,
  ) => await verifyAudit(auditRecords(auditSeals), { keys, head: await sealer.deps.heads.read() });

  describe(`the seals of the audit log on ${name}`, () => {
    it('cover every entry once it is settled, those of before among them; later ones count as not sealed', async () => {
      await using stores = await open();
      for (let some = 0; some < 11; some += 1) await note(stores, 50); // more than one seal covers
      const sealer = anAuditSealer(stores.auditSeals);
      await sealer.run();
      expect(await verdictOn(stores, sealer)).toMatchObject({ entries: 550, seals: 2, unsealed: { entries: 0 } });
      await note(stores, 2);
      const { last, unsealed, findings } = await verdictOn(stores, sealer);
      expect(last).toMatchObject({ number: 2, total: 550 });
      expect([unsealed, findings]).toEqual([{ entries: 2, since: stores.clock.now().toISOString() }, []]);
      await sealer.run();
      await sealer.run(); // nothing new: no seal
      expect(await verdictOn(stores, sealer)).toMatchObject({ seals: 3, unsealed: { entries: 0 }, findings: [] });
    });

    it('are one chain, though several processes make them at once', async () => {
      await using stores = await open();
      const sealers = Array.from({ length: 4 }, () => anAuditSealer(stores.auditSeals));
      for (let round = 0; round < 5; round += 1) {
        const writing = note(stores, 5);
        await Promise.all(sealers.map((sealer) => sealer.run()));
        await writing;
      }
      for (const sealer of sealers) {
        await sealer.run();
        expect(sealer.refused).toEqual([]);
        expect(await verdictOn(stores, sealer)).toMatchObject({ entries: 25, unsealed: { entries: 0 }, findings: [] });
      }
    });

    it('go on under a new key by themselves, which then vouches for those of the old one', async () => {
      await using stores = await open();
      await note(stores, 3);
      const before = anAuditSealer(stores.auditSeals);
      await before.run();
      const { heads } = before.deps;
      const after = anAuditSealer(stores.auditSeals, { heads, keys: auditKeys('k2', 'k1') });
      expect((await verdictOn(stores, after, auditKeys('k2'))).findings).toMatchObject([{ kind: 'key_missing' }]);
      await after.run();
      const withoutOld = anAuditSealer(stores.auditSeals, { heads, keys: auditKeys('k2') });
      expect(await verdictOn(stores, withoutOld)).toMatchObject({ seals: 2, findings: [] });
      await note(stores, 1);
      await withoutOld.run();
      expect(withoutOld.refused).toEqual([]);
      expect(await verdictOn(stores, withoutOld)).toMatchObject({ seals: 3, unsealed: { entries: 0 }, findings: [] });
    });

    it('are refused by a process that knows of a later one, until an operator acknowledges it', async () => {
      await using stores = await open();
      await note(stores, 2);
      const there = anAuditSealer(stores.auditSeals);
      await there.run();
      const [first] = await stores.auditSeals.seals({ after: null, limit: 1 });
      const kept = await there.deps.heads.read();
      if (kept === null || first === undefined) throw new Error('nothing was sealed');
      // The head from before an older database replaced this one.
      const later = { ...kept, number: 7, hash: 'of a seal that is gone', to_ordinal: 40, entries: 40 };
      const sealer = anAuditSealer(stores.auditSeals, { heads: keptAuditHead(later) });
      await note(stores, 1);
      await sealer.run();
      expect(sealer.refused).toEqual([expect.stringMatching(/ends at seal 1, and seal 7 was made/)]);
      expect((await verdictOn(stores, sealer)).findings).toMatchObject([{ kind: 'cut_off', from: 3, to: 40 }]);

      await stores.audit.note({ action: 'installation.audit_acknowledged', detail: { found: 1, known: 7 } });
      expect(await acknowledgeAudit(sealer.deps, later)).toMatchObject({ number: 8, previousNumber: 1, entries: 2 });
      const putBack = [{ from: 2, to: 7 }];
      expect(await verdictOn(stores, sealer)).toMatchObject({ putBack, findings: [], unsealed: { entries: 0 } });
      // One on another machine, which knows the later one as well.
      const other = anAuditSealer(stores.auditSeals, { heads: keptAuditHead({ ...later, number: 5 }) });
      expect(await verdictOn(stores, other)).toMatchObject({ putBack, findings: [] });
      await other.run();
      expect([other.refused, (await other.deps.heads.read())?.number]).toEqual([[], 8]);
    });

    it('are not made after one that is not genuine, or whose key is gone', async () => {
      await using stores = await open();
      await note(stores, 1);
      await anAuditSealer(stores.auditSeals, { keys: auditKeys('k9') }).run();
      const [seal] = await stores.auditSeals.seals({ after: null, limit: 1 });
      if (seal === undefined) throw new Error('nothing was sealed');
      const without = anAuditSealer(stores.auditSeals);
      await without.run();
      expect(without.refused).toEqual([expect.stringMatching(/made with the key "k9", which is not among/)]);
      const forged = { ...seal, number: 2, previousNumber: 1, keyId: 'k1' };
      expect(await stores.auditSeals.add(forged)).toBe(true);
      expect(await stores.auditSeals.add({ ...forged, number: 3 })).toBe(false); // two after the same one
      await without.run();
      expect(without.refused.at(-1)).toMatch(/^Seal 2 of the audit log was not made with the key that it names/);
    });
  });
}
