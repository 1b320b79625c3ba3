const loopback = ['localhost', '127.0.0.1', '[::1]'];

/** The origins that may call with the cookie: the service's own and the configured ones. */
export function allowedOrigins({
  publicUrl,
  corsOrigins,
}: {
  publicUrl: URL;
  corsOrigins: readonly string[];
}): Set<string> {
  return new Set([...ownOrigins(publicUrl), ...corsOrigins.map((origin) => new URL(origin).origin)]);
}

/** People type any of the loopback names; on the same port they are the same service. */
function ownOrigins({ protocol, hostname, port, origin }: URL): string[] {
  if (!loopback.includes(hostname)) return [origin];
  return loopback.map((name) => new URL(`${protocol}//${name}${port === '' ? '' : `:${port}`}`).origin);
}
