const loopback = ['localhost', '127.0.0.1', '[::1]'];

/** Whether a host's name is one by which people call their own machine. */
function isLoopbackName(hostname: string): boolean {
  return loopback.includes(hostname);
}

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
  if (!isLoopbackName(hostname)) return [origin];
  return loopback.map((name) => new URL(`${protocol}//${name}${port === '' ? '' : `:${port}`}`).origin);
}
