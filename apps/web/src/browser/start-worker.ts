interface ScriptPolicy {
  createScriptURL(address: string): unknown;
}

/** What the browser offers under `require-trusted-types-for`; the types of the DOM do not have it yet. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(address: string): string }): ScriptPolicy;
}

let policy: ScriptPolicy | undefined;

/**
 * Starts a worker of the console. The page's content security policy names one policy for trusted types, `sluice-worker`,
 * and this is it: it passes addresses of this origin and no others.
 *
 * @param address what `import … from './x-worker.ts?worker&url'` gives
 */
export function startWorker(address: string, name: string): Worker {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  policy ??= trustedTypes?.createPolicy('sluice-worker', { createScriptURL: ownAddress });
  const trusted = policy?.createScriptURL(address) ?? ownAddress(address);
  return new Worker(trusted as string, { type: 'module', name });
}

function ownAddress(address: string): string {
  const url = new URL(address, location.href);
  if (url.origin !== location.origin) throw new TypeError(`A worker must be a script of the console, not ${address}.`);
  return url.href;
}
