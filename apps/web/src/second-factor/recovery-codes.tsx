import { useEffect, useRef } from 'react';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { saveFile } from '../ui/save-file.ts';
import styles from './second-factor.module.css';

/** Shows recovery codes, for the only time. */
export function RecoveryCodes({ codes }: { readonly codes: readonly string[] }) {
  const first = useRef<HTMLParagraphElement>(null);
  // The form that had the focus is gone. Once: a later rendering must not take it from the buttons.
  useEffect(() => first.current?.focus(), []);
  const text = () => `${codes.join('\n')}\n`;
  return (
    <>
      <p ref={first} tabIndex={-1}>
        Each of these recovery codes completes one login when your device is lost. Keep them apart from the device: they
        are not shown again.
      </p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p className={styles.actions}>
        <CopyButton text={text} label="Copy the recovery codes" />
        <Button onClick={() => saveFile('sluice-recovery-codes.txt', [text()])}>Save as a file</Button>
      </p>
    </>
  );
}
