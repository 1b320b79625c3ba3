import { describe, expect, it } from 'vitest';
import { rotateKeys } from '../src/admin/rotate-keys.ts';
import { vacuum } from '../src/storage/vacuum.ts';
import { adminOf, isLive, logIn, only, PASSWORD, page } from './admin-accounts-scene.ts';
import { anIssueAtGate } from './an-issue.ts';
import { signUp } from './http-session.ts';
import { scratchFolder, startScratchServer } from './scratch-server.ts';

describe('the operator in embedded mode', () => {
  it('changes accounts beside the running server, which sees each change at once', async () => {
    await using server = await startScratchServer();
    const email = 'eve@example.com';
    const eve = await signUp(server.url, email);
    const { id } = await anIssueAtGate(eve);
    const { dataDir } = server;
    await using admin = await adminOf({}, dataDir);
    expect(await admin.users(page)).toMatchObject({ items: [{ email, live_sessions: 1 }] });
    const reset = await admin.resetPassword(email);
    if (reset === null || reset === 'no_email') throw new Error(`the password was not reset: ${reset}`);
    expect(await isLive(eve)).toBe(false);
    expect(await logIn(server.url, email, PASSWORD)).toMatchObject({ code: 'bad_credentials' });
    await eve.call('POST', '/api/auth/login', { email, password: reset.password });
    expect(await isLive(eve)).toBe(true);
    expect(await admin.endSessions(email)).toMatchObject({ sessions_ended: 1 });
    expect(await isLive(eve)).toBe(false);

    expect(await admin.disable(email, only)).toMatchObject({ issues_cancelled: 1, servers_told: true });
    expect(await logIn(server.url, email, reset.password)).toMatchObject({ code: 'bad_credentials' });
    await admin.enable(email);
    await eve.call('POST', '/api/auth/login', { email, password: reset.password });
    expect(await eve.issue(id)).toMatchObject({ status: 'cancelled', gate: null });
    // The slot and the repository of the cancelled issue are free for the server.
    expect((await anIssueAtGate(eve)).id).toEqual(expect.any(String));
    const { items } = (await admin.audit(email, page)) ?? { items: [] };
    expect(items.filter(({ actor }) => actor === 'operator').map(({ action }) => action)).toEqual([
      'account.enabled',
      'issue.cancelled',
      'account.disabled',
      'account.sessions_ended',
      'account.password_reset',
    ]);
    // What replaces the database or its keys still needs the server to stop.
    const overrides = { DATA_DIR: dataDir };
    await expect(rotateKeys({ overrides })).rejects.toThrow(/Another Sluice process uses this data folder: stop it/);
    await expect(vacuum({ overrides })).rejects.toThrow(/Another Sluice process uses this data folder: stop it/);
  });

  it('finds the accounts of a folder without a running server', async () => {
    const dataDir = scratchFolder();
    await using admin = await adminOf({}, dataDir);
    expect(await admin.users(page)).toEqual({ items: [], next_cursor: null });
    expect(await admin.audit(null, page)).toEqual({ items: [], next_cursor: null });
  });
});
