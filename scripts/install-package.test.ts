import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';

const SCRIPT = fileURLToPath(new URL('install-package.sh', import.meta.url));
/** An apt-get whose package brings a service, and which tells what it found while it installed. */
const APT_GET = `#!/bin/sh
echo "apt-get $*" >> "$CALLS"
[ -x "$DPKG_ROOT/usr/sbin/policy-rc.d" ] && { "$DPKG_ROOT/usr/sbin/policy-rc.d" nginx start; echo "policy $?" >> "$CALLS"; }
cat "$DPKG_ROOT/etc/postgresql-common/createcluster.d/sluice.conf" | grep -v '#' >> "$CALLS"
touch "$DPKG_ROOT/etc/init.d/nginx"
exit "\${APT_EXIT:-0}"
`;

let root: string;
let policy: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sluice-install-'));
  policy = join(root, 'usr/sbin/policy-rc.d');
  for (const folder of ['bin', 'usr/sbin', 'etc/init.d']) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'etc/init.d/cron'), '');
  for (const [name, text] of Object.entries({
    'apt-get': APT_GET,
    'update-rc.d': '#!/bin/sh\necho "$*" >> "$CALLS"\n',
  })) {
    writeFileSync(join(root, 'bin', name), text);
    chmodSync(join(root, 'bin', name), 0o755);
  }
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function install(env: Record<string, string> = {}) {
  const path = `${join(root, 'bin')}:/usr/bin:/bin`;
  const { status } = spawnSync('sh', [SCRIPT, 'nginx-light'], {
    env: { PATH: path, DPKG_ROOT: root, CALLS: join(root, 'calls'), ...env },
  });
  const calls = readFileSync(join(root, 'calls'), 'utf8').split('\n').filter(Boolean);
  return { status, calls };
}

const leftBehind = () => [policy, join(root, 'etc/postgresql-common/createcluster.d/sluice.conf')].filter(existsSync);

it('installs a package whose service starts neither then nor at the next boot, and leaves nothing of its own behind', () => {
  const { status, calls } = install();
  expect(status).toBe(0);
  expect(calls).toEqual([
    'apt-get -qq install -y --no-install-recommends nginx-light',
    'policy 101',
    'create_main_cluster = false',
    'nginx disable',
  ]);
  expect(leftBehind()).toEqual([]);
});

it('leaves nothing of its own behind when the installation fails', () => {
  expect(install({ APT_EXIT: '100' }).status).not.toBe(0);
  expect(leftBehind()).toEqual([]);
});

it('leaves a policy of the machine’s own as it is, and takes over one that a killed run has left', () => {
  writeFileSync(policy, '#!/bin/sh\nexit 104\n', { mode: 0o755 });
  expect(install().calls).toContain('policy 104');
  expect(readFileSync(policy, 'utf8')).toBe('#!/bin/sh\nexit 104\n');
  writeFileSync(
    policy,
    '#!/bin/sh\n# Put here by Sluice while it installs a package; may be removed afterwards.\nexit 0\n',
  );
  expect(install().calls).toContain('policy 101');
  expect(leftBehind()).toEqual([]);
});
