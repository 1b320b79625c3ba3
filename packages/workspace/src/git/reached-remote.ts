import type { GitConfigPair } from './git-environment.ts';
import { frugal } from './git-limits.ts';

/** A remote whose address was checked just now. Holds for one call: the next one checks again. */
export type ReachedRemote =
  | {
      readonly kind: 'http';
      readonly url: string;
      readonly canonical: string;
      readonly name: string;
      /** `https://host:port`, what the token is bound to. */
      readonly origin: string;
      /** `host:port:address,…` as `http.curloptResolve` takes it; null when the host is an address itself, or the operator's. */
      readonly pin: string | null;
    }
  | { readonly kind: 'local'; readonly url: string; readonly canonical: string; readonly name: string };

/** The settings that let one call, and only it, talk to this remote. */
export function remoteConfig(remote: ReachedRemote, token: string | null): readonly GitConfigPair[] {
  if (remote.kind === 'local') return [['protocol.file.allow', 'always']];
  const config: GitConfigPair[] = [[`protocol.${new URL(remote.url).protocol.replace(':', '')}.allow`, 'always']];
  if (remote.pin !== null) config.push(['http.curloptResolve', remote.pin]);
  if (token !== null && token !== '') {
    const basic = Buffer.from(`x-access-token:${token}`).toString('base64');
    config.push([`http.${remote.origin}/.extraHeader`, `Authorization: Basic ${basic}`]);
  }
  return config;
}

/**
 * The options of git that start the side of a local repository. That process reads the repository's own
 * configuration, and git strips our settings from its environment: so whatever it could run by configuration is
 * switched off here, in its arguments, and it does not mind who owns the folder.
 */
export function packProgram(remote: ReachedRemote, program: 'upload-pack' | 'receive-pack'): string[] {
  if (remote.kind !== 'local') return [];
  const settings = [
    "safe.directory='*'",
    'core.hooksPath=/dev/null',
    'core.fsmonitor=false',
    'core.alternateRefsCommand=true',
    'protocol.allow=never',
    'gc.auto=0',
    'maintenance.auto=false',
    'receive.autogc=false',
    'receive.denyCurrentBranch=refuse',
    ...frugal.map(([key, value]) => `${key}=${value}`),
  ];
  return [`--${program}=git ${settings.map((setting) => `-c ${setting}`).join(' ')} ${program}`];
}
