import type { RepoWire } from '@sluice/core/repo';
import type { FakeCodeHost } from '@sluice/fake-code-host';
import { aCodeHost, codehostEnvironment, HOSTED, registerHosted, signInAt } from './code-host-scene.ts';
import type { HttpSession } from './http-session.ts';
import { startScratchServer } from './scratch-server.ts';

export const RENAMED = 'acme/gadget';

export const rename = (host: FakeCodeHost) => host.renameRepo(HOSTED, 'gadget');

export interface Scene extends AsyncDisposable {
  readonly host: FakeCodeHost;
  readonly ann: HttpSession;
  readonly repo: RepoWire;
}

/** Ann has registered `acme/widget`. */
export async function aScene(): Promise<Scene> {
  const host = await aCodeHost();
  const server = await startScratchServer({ ...codehostEnvironment(host), CODEHOST_POLL: '0' });
  const ann = await signInAt(server.url, host, 'ann');
  return {
    host,
    ann,
    repo: await registerHosted(ann),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await host[Symbol.asyncDispose]();
    },
  };
}

export const repoNow = async ({ ann, repo }: Scene) => (await ann.call<RepoWire>('GET', `/api/repos/${repo.id}`)).body;
