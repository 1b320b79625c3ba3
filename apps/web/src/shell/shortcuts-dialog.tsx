import { useContext, useSyncExternalStore } from 'react';
import type { Command } from '../commands/command-registry.ts';
import { Commands } from '../commands/use-command.ts';
import { usePreferences } from '../session/preferences.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import styles from './shortcuts-dialog.module.css';

interface ShortcutsDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** All keys that do something on this page. */
export function ShortcutsDialog({ isOpen, onClose }: ShortcutsDialogProps) {
  const registry = useContext(Commands);
  const commands = useSyncExternalStore(registry.subscribe, registry.list);
  const { shortcuts } = usePreferences();
  const groups = Map.groupBy(
    commands.filter((command) => command.keys !== undefined && registry.find(command.keys) === command),
    ({ group }) => group,
  );
  return (
    <Dialog
      title="Keyboard shortcuts"
      isOpen={isOpen}
      onClose={onClose}
      actions={<Button onClick={onClose}>Close</Button>}
      wide
    >
      {!shortcuts && <p>Single keys are off. Turn them on in the settings.</p>}
      <div className={styles.groups}>
        {[...groups].map(([group, members]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl className={styles.list}>
              {members.map((command) => (
                <Shortcut key={command.id} command={command} />
              ))}
            </dl>
          </section>
        ))}
        <section>
          <h3>Anywhere</h3>
          <dl className={styles.list}>
            <dt>
              <kbd>Ctrl</kbd> <kbd>K</kbd>
            </dt>
            <dd>Search everything; with a Mac, Cmd K</dd>
            <dt>
              <kbd>Esc</kbd>
            </dt>
            <dd>Close a dialog</dd>
          </dl>
        </section>
      </div>
    </Dialog>
  );
}

function Shortcut({ command: { label, keys = '' } }: { readonly command: Command }) {
  return (
    <>
      <dt>
        {keys.split(' ').map((key, index) => (
          <span key={key}>
            {index > 0 && ' then '}
            <kbd>{key}</kbd>
          </span>
        ))}
      </dt>
      <dd>{label}</dd>
    </>
  );
}
