const NAME = 'access_token';

/** The session of a client outside a browser, which has no cookie jar of its own. */
export interface SessionCookie {
  /** The `Cookie` header to send, or null without a session. */
  header(): string | null;
  /** Takes over what an answer sets or clears. */
  takeFrom(headers: Headers): void;
}

/**
 * @param initial a cookie value kept from an earlier run
 * @param onChange told the new value (null = logged out) whenever the server sets or clears it
 */
export function createSessionCookie(initial: string | null, onChange?: (value: string | null) => void): SessionCookie {
  let value = initial;
  return {
    header: () => (value === null ? null : `${NAME}=${value}`),
    takeFrom(headers) {
      for (const line of headers.getSetCookie()) {
        const [pair = '', ...attributes] = line.split(';');
        const [, name, content = ''] = /^\s*([^=]*?)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
        if (name !== NAME) continue;
        value = content === '' || attributes.some(isOver) ? null : content;
        onChange?.(value);
      }
    },
  };
}

function isOver(attribute: string): boolean {
  const [name = '', value = ''] = attribute.trim().split('=');
  if (name.toLowerCase() === 'max-age') return Number(value) <= 0;
  return name.toLowerCase() === 'expires' && Date.parse(value) <= Date.now();
}
