import { useMutation } from '@tanstack/react-query';
import type { ClipboardEvent, DragEvent } from 'react';
import { type Attached, attachedOf, type Draft, withAttached } from './draft.ts';
import { uploadFile } from './upload-file.ts';

/** Uploads the files that are chosen, pasted or dropped, one after the other, as the server takes them. */
export function useUploads(attachments: () => string, change: (changes: Partial<Draft>) => void) {
  const upload = useMutation({
    mutationFn: async (files: readonly File[]) => {
      for (const file of files) add(await uploadFile(file));
    },
  });
  const attached = () => attachedOf({ attachments: attachments() });
  const add = (one: Attached) => change({ attachments: withAttached([...attached(), one]) });
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
    remove: (id: string) => change({ attachments: withAttached(attached().filter((one) => one.id !== id)) }),
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
