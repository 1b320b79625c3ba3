import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { builtProgram } from '@sluice/testing';

const execute = promisify(execFile);

/** The package as `npm i -g` installs it, without a registry. */
interface PackedInstallation extends Disposable {
  /** Where npm has put it. */
  readonly prefix: string;
  /** The folder of the build: other tests need it too, so it is still there. */
  readonly built: string;
  /** Runs the installed command, with the tools of the machine on its path. */
  sluice(...args: string[]): Promise<{ stdout: string; stderr: string }>;
}

export async function installPacked(): Promise<PackedInstallation> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice packed '));
  const built = dirname(await builtProgram('sluice'));
  const prefix = join(folder, 'prefix');
  await execute('npm', ['pack', '--pack-destination', folder, '--offline', '--no-audit', '--no-fund'], { cwd: built });
  const [tarball = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
  await execute('npm', ['install', '--global', '--prefix', prefix, '--offline', join(folder, tarball)], {
    cwd: folder,
  });
  const env = { PATH: `${join(prefix, 'bin')}:${dirname(process.execPath)}:${process.env.PATH}`, HOME: folder };
  return {
    prefix,
    built,
    sluice: (...args) => execute('sluice', args, { env, cwd: folder }),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}
