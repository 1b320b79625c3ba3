import { type ContractProxy, startContractProxy } from './contract-proxy.ts';
import { type Service, startService, type Terminal } from './terminal.ts';

export interface ProxiedService<S extends Service = Service> extends AsyncDisposable {
  /** Its URL, also in its configuration, is that of the proxy. */
  readonly service: S;
  readonly proxy: ContractProxy;
}

/** Starts a server in this process behind the contract proxy. */
export async function startProxiedService(
  terminal: Terminal,
  env: Record<string, string> = {},
): Promise<ProxiedService> {
  return await startBehindProxy((itsUrl) => startService(terminal, { ...itsUrl, ...env }));
}

/** Starts a server behind the contract proxy. @param start takes the variable with the URL that it has there */
export async function startBehindProxy<S extends Service>(
  start: (itsUrl: { readonly PUBLIC_URL: string }) => Promise<S>,
): Promise<ProxiedService<S>> {
  const proxy = await startContractProxy();
  const service = await start({ PUBLIC_URL: proxy.url });
  proxy.forwardTo(service.url);
  return {
    service: { ...service, url: proxy.url },
    proxy,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}
