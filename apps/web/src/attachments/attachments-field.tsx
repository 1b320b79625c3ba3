import { visibleText } from '../format/visible-text.ts';
import { Button } from '../ui/button.tsx';
import { attachedOf } from './attached.ts';
import styles from './attachments-field.module.css';
import type { Uploads } from './use-uploads.ts';

interface AttachmentsFieldProps {
  /** The files, as a draft keeps them. */
  readonly value: string;
  readonly uploads: Uploads;
  /** What is wrong with the files of the request. */
  readonly error?: string | undefined;
}

const ACCEPTED = 'image/png,image/jpeg,image/webp,image/gif,text/*,.log,.csv,.json,.txt';

/** The files of a text that is being written. Files that are pasted or dropped into its form come here too. */
export function AttachmentsField({ value, uploads, error: fault }: AttachmentsFieldProps) {
  const attached = attachedOf(value);
  const error = uploads.error ?? fault;
  return (
    <div className={styles.field}>
      <label className={styles.label}>
        <span className={styles.name}>Attachments</span>
        <input
          type="file"
          multiple
          accept={ACCEPTED}
          disabled={uploads.isUploading}
          onChange={({ target }) => {
            uploads.take([...(target.files ?? [])]);
            target.value = ''; // so that the same file can be chosen again
          }}
        />
      </label>
      <p className={styles.hint}>Screenshots and logs, up to 10 MiB each. You can paste and drop them here, too.</p>
      {attached.length > 0 && (
        <ul className={styles.list} aria-label="Attached files">
          {attached.map(({ id, name }) => (
            <li key={id}>
              <bdi>{visibleText(name)}</bdi>
              <Button tone="quiet" aria-label={`Remove ${visibleText(name)}`} onClick={() => uploads.remove(id)}>
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      <p role="status" className={styles.hint}>
        {uploads.isUploading ? 'Uploading…' : ''}
      </p>
      {error !== undefined && (
        <p role="alert" className={styles.error}>
          {visibleText(error)}
        </p>
      )}
    </div>
  );
}
