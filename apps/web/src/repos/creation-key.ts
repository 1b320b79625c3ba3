import { useRef } from 'react';

/** Gives each request its idempotency key: the same request has the same key, so that a repeated one creates nothing twice. */
export function useCreationKey(): (request: unknown) => string {
  const last = useRef({ text: '', key: '' });
  return (request) => {
    const text = JSON.stringify(request);
    if (last.current.text !== text) last.current = { text, key: randomKey() };
    return last.current.key;
  };
}

/** `crypto.randomUUID` exists on https and localhost only. */
function randomKey(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-');
}
