import type { Sandbox } from '@sluice/core/workspace';
import { createBwrapSandbox } from '@sluice/sandbox';
import { loadConfig, openHostResolver } from '@sluice/server';

/** The sandbox in which the bench runs commands of agents and of tests. @param folder where its trees are */
export function openSandbox(folder: string): Sandbox {
  const { path, sandboxReadPaths, allowPrivateHosts, setupAllowHosts } = loadConfig({ dotEnv: false });
  return createBwrapSandbox({
    path,
    readPaths: sandboxReadPaths,
    hideRoots: [folder],
    scratchRoot: folder,
    // A registry's mirror in a company's network, as the service takes it.
    proxy: { hosts: openHostResolver(), allowPrivateHosts: allowPrivateHosts ? setupAllowHosts : [] },
  });
}
