import type { ServerResponse } from 'node:http';
import helmet from 'helmet';

export type FixedHeaders = readonly (readonly [name: string, value: string])[];

/** The headers of every answer that tell browsers what not to do with it, by helmet, which is asked once. */
export function securityHeaders({ publicUrl }: { readonly publicUrl: URL }): FixedHeaders {
  const headers = new Map<string, string>();
  const set = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      // `default-src` does not cover the last three.
      directives: {
        defaultSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    crossOriginResourcePolicy: { policy: 'same-site' },
    strictTransportSecurity: publicUrl.protocol === 'https:',
  });
  const recorded = {
    setHeader: (name: string, value: string) => headers.set(name, value),
    removeHeader: () => undefined, // `X-Powered-By`, which the app does not set
  };
  // helmet answers at once: none of these headers depends on a request.
  set({} as never, recorded as unknown as ServerResponse, (error?: unknown) => {
    if (error !== undefined) throw error;
  });
  return [...headers];
}
