import type { KeyboardEvent, RefObject } from 'react';
import { TextArea } from '../ui/field.tsx';
import { leaveOnEscape } from '../ui/leave-on-escape.ts';
import { useRemarkStore, useRemarks } from './remarking.ts';

interface GeneralRemarkProps {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly label: string;
  readonly hint: string;
}

/** Instructions on the whole, for what no single part stands for. */
export function GeneralRemark({ field, label, hint }: GeneralRemarkProps) {
  const store = useRemarkStore();
  const remarks = useRemarks(store);
  return (
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
  );
}
