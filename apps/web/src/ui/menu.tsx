import { Menu as BaseMenu } from '@base-ui/react/menu';
import { buttonClass } from './button.tsx';
import styles from './menu.module.css';

export interface MenuAction {
  readonly label: string;
  readonly run: () => void;
  readonly tone?: 'danger';
}

/** A button that opens a list of further actions. */
export function Menu({ label, actions }: { readonly label: string; readonly actions: readonly MenuAction[] }) {
  return (
    <BaseMenu.Root modal={false}>
      <BaseMenu.Trigger className={buttonClass()}>
        {label} <span aria-hidden="true">▾</span>
      </BaseMenu.Trigger>
      <BaseMenu.Portal>
        <BaseMenu.Positioner className={styles.positioner} align="end" sideOffset={4}>
          <BaseMenu.Popup className={styles.popup}>
            {actions.map(({ label: name, run, tone }) => (
              <BaseMenu.Item key={name} className={styles.item} data-tone={tone} onClick={run}>
                {name}
              </BaseMenu.Item>
            ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}
