import type { Attached } from './draft.ts';

/** A text whose type the browser does not know, such as a log, is sent as plain text: the server refuses what is none. */
function typeOf({ type }: File): string {
  const isKnown = /^image\//.test(type) || type === 'text/csv' || type === 'application/json';
  return isKnown ? type : 'text/plain';
}

/**
 * Uploads a file for an issue that is not created yet.
 *
 * @throws Error with the server's words when it refuses
 */
export async function uploadFile(file: File): Promise<Attached> {
  const name = file.name.replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ').trim() || 'file';
  const body = JSON.stringify({ name: name.slice(-200), media_type: typeOf(file), data: await base64Of(file) });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch('/api/attachments', { method: 'POST', headers, body });
  const answer: unknown = await response.json().catch(() => null);
  const { id, detail } = (answer ?? {}) as { readonly id?: unknown; readonly detail?: unknown };
  if (response.ok && typeof id === 'string') return { id, name };
  throw new Error(typeof detail === 'string' ? detail : `The server answered ${response.status}.`);
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(new Error(`${file.name} cannot be read.`));
    reader.readAsDataURL(file);
  });
}
