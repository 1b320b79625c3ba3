import { useMutation } from '@tanstack/react-query';
import type { ClipboardEvent, DragEvent } from 'react';
import { formatBytes } from '../format/bytes.ts';
import { type Attached, attachedOf, withAttached } from './attached.ts';

export type Uploads = ReturnType<typeof useUploads>;

/**
 * Uploads the files that are chosen, pasted or dropped, one after the other, as the server takes them.
 *
 * @param latest the files of the draft as they are now, also while a file is on its way
 */
export function useUploads(latest: () => string, change: (attachments: string) => void) {
  const upload = useMutation({
    mutationFn: async (files: readonly File[]) => {
      for (const file of files) add(await uploadFile(file));
    },
  });
  const attached = () => attachedOf(latest());
  const add = (one: Attached) => change(withAttached([...attached(), one]));
  const take = (files: readonly File[]) => {
    if (files.length > 0 && !upload.isPending) upload.mutate(files);
  };
  const takeFrom = (event: ClipboardEvent | DragEvent, { files }: Pick<DataTransfer, 'files'>) => {
    if (files.length === 0) return;
    event.preventDefault();
    take([...files]);
  };
  return {
    isUploading: upload.isPending,
    error: upload.error === null ? undefined : upload.error.message,
    take,
    remove: (id: string) => change(withAttached(attached().filter((one) => one.id !== id))),
    /** For the whole form. A text that is pasted or dropped goes where it goes. */
    handlers: {
      onPaste: (event: ClipboardEvent) => takeFrom(event, event.clipboardData),
      onDrop: (event: DragEvent) => takeFrom(event, event.dataTransfer),
      onDragOver: (event: DragEvent) => {
        if (event.dataTransfer.types.includes('Files')) event.preventDefault();
      },
    },
  };
}

/** A text whose type the browser does not know, such as a log, is sent as plain text: the server refuses what is none. */
function typeOf({ type }: File): string {
  const isKnown = /^image\//.test(type) || type === 'text/csv' || type === 'application/json';
  return isKnown ? type : 'text/plain';
}

/** The server's limit. What is larger is not even read: a page cannot hold a file of any size. */
const MAX_FILE_BYTES = 10 * 1_048_576;

/**
 * Uploads a file for a text that is not sent yet.
 *
 * @throws Error that names the file, with the server's words when it refuses
 */
async function uploadFile(file: File): Promise<Attached> {
  const name = file.name.replaceAll(/[\p{Cc}\u2028\u2029]/gu, ' ').trim() || 'file';
  if (file.size > MAX_FILE_BYTES) {
    const [size, limit] = [file.size, MAX_FILE_BYTES].map(formatBytes);
    throw new Error(`${name} has ${size}, and at most ${limit} can be attached.`);
  }
  const body = JSON.stringify({ name: name.slice(-200), media_type: typeOf(file), data: await base64Of(file) });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch('/api/attachments', { method: 'POST', headers, body });
  const answer: unknown = await response.json().catch(() => null);
  const { id, detail } = (answer ?? {}) as { readonly id?: unknown; readonly detail?: unknown };
  if (response.ok && typeof id === 'string') return { id, name };
  throw new Error(`${name}: ${typeof detail === 'string' ? detail : `The server answered ${response.status}.`}`);
}

function base64Of(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(new Error(`${file.name} cannot be read.`));
    reader.readAsDataURL(file);
  });
}
