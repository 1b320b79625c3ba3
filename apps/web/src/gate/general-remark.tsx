import type { KeyboardEvent, RefObject } from 'react';
import { AttachmentsField } from '../attachments/attachments-field.tsx';
import { useUploads } from '../attachments/use-uploads.ts';
import { TextArea } from '../ui/field.tsx';
import { leaveOnEscape } from '../ui/leave-on-escape.ts';
import styles from './gate.module.css';
import { useRemarkStore, useRemarks } from './remarking.ts';

interface GeneralRemarkProps {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly label: string;
  readonly hint: string;
}

/** Instructions on the whole, for what no single part stands for, and the files that go with all of them. */
export function GeneralRemark({ field, label, hint }: GeneralRemarkProps) {
  const store = useRemarkStore();
  const remarks = useRemarks(store);
  const uploads = useUploads(
    () => store.all().files ?? '',
    (files) => store.set('files', files),
  );
  return (
    <div className={styles.general} {...uploads.handlers}>
      <TextArea
        ref={field}
        label={label}
        hint={hint}
        rows={3}
        dir="auto"
        value={remarks.general ?? ''}
        onChange={({ target: { value } }) => store.set('general', value)}
        onKeyDown={(event: KeyboardEvent<HTMLTextAreaElement>) => leaveOnEscape(event)}
      />
      <AttachmentsField value={remarks.files ?? ''} uploads={uploads} />
    </div>
  );
}
