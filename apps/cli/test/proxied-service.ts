import { type ContractProxy, startContractProxy } from './contract-proxy.ts';
import { type Service, startService, type Terminal } from './terminal.ts';

export interface ProxiedService extends AsyncDisposable {
  /** Its URL, also in its configuration, is that of the proxy. */
  readonly service: Service;
  readonly proxy: ContractProxy;
}

/** Starts a real server process behind the contract proxy. Disposing of the terminal ends the server. */
export async function startProxiedService(
  terminal: Terminal,
  env: Record<string, string> = {},
): Promise<ProxiedService> {
  const proxy = await startContractProxy();
  const service = await startService(terminal, { PUBLIC_URL: proxy.url, ...env });
  proxy.forwardTo(service.url);
  return { service: { ...service, url: proxy.url }, proxy, [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose]() };
}
