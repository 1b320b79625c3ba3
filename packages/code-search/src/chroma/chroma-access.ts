import type { ChromaClientArgs } from 'chromadb';

/**
 * How the client reaches the server at a URL, which may have a path and, as its user, a token (`https://TOKEN@host`) or a
 * name and a password (`https://NAME:PASSWORD@host`).
 */
export function chromaAccess(url: URL): ChromaClientArgs {
  const ssl = url.protocol === 'https:';
  const port = url.port === '' ? (ssl ? '443' : '80') : url.port;
  return {
    ssl,
    host: url.hostname,
    // The client has no option for a path and puts the port behind the host as it is.
    port: `${port}${url.pathname.replace(/\/+$/, '')}` as unknown as number,
    headers: credentials(decodeURIComponent(url.username), decodeURIComponent(url.password)),
    // Otherwise the client takes them from the process's environment.
    tenant: 'default_tenant',
    database: 'default_database',
  };
}

/** Chroma's own servers have known both headers for a token; a proxy in front of one knows the usual one or a password. */
function credentials(user: string, password: string): Record<string, string> {
  if (password !== '') return { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
  return user === '' ? {} : { Authorization: `Bearer ${user}`, 'X-Chroma-Token': user };
}
