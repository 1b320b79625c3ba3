import { useState } from 'react';
import { attachedOf, withAttached } from '../attachments/attached.ts';
import { tabStorage } from '../browser/page-storage.ts';
import { visibleText } from '../format/visible-text.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { textsOf } from './compose-guidance.ts';
import styles from './gate.module.css';
import { openRemarks, type RemarkStore, subjectsWithRemarks } from './remark-store.ts';

interface UnsentRemarksProps {
  readonly issueId: string;
  /** The remarks of the gate that is open; null when there is none. */
  readonly current: { readonly subject: string; readonly store: RemarkStore } | null;
}

/** Remarks that were typed at a gate which is gone: decided elsewhere, or replaced. They are kept until they are taken over. */
export function UnsentRemarks({ issueId, current }: UnsentRemarksProps) {
  const [, redraw] = useState(0);
  const subjects = subjectsWithRemarks(tabStorage, issueId).filter((subject) => subject !== current?.subject);
  return subjects.map((subject) => {
    const store = openRemarks(tabStorage, { issueId, subject });
    const texts = textsOf(store.all());
    const files = attachedOf(store.all().files ?? '');
    const finish = () => {
      store.clear();
      redraw((times) => times + 1);
    };
    const takeOver = () => {
      const before = current?.store.all().general ?? '';
      current?.store.set('general', [before, ...texts].filter((text) => text !== '').join('\n\n'));
      const attached = current?.store.all().files ?? '';
      current?.store.set('files', withAttached([...attachedOf(attached), ...files]));
      finish();
    };
    const actions = (
      <div className={styles.pair}>
        {current !== null && <Button onClick={takeOver}>Take over</Button>}
        <Button onClick={finish}>Discard</Button>
      </div>
    );
    return (
      <Notice key={subject} tone="info" action={actions}>
        <strong>Not sent:</strong> {subjectName(subject)}
        <p className={styles.typed} dir="auto">
          {visibleText([...texts, ...files.map(({ name }) => name)].join('\n\n'))}
        </p>
      </Notice>
    );
  });
}

function subjectName(subject: string): string {
  return /^\d+$/.test(subject) ? `your remarks on revision ${subject} of the plan` : 'your remarks on the publication';
}
