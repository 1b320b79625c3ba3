import type { Preferences } from '@sluice/client';
import { useState } from 'react';
import { askForNotifications, useNotificationState } from '../browser/notification-permission.ts';
import { notificationHelp } from '../session/notification-words.ts';
import { useChangePreferences, usePreferences } from '../session/preferences.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { CheckField, SelectField } from '../ui/field.tsx';
import { Section } from '../ui/section.tsx';
import styles from './settings.module.css';

/** How the user likes the console, in every browser. */
export function AppearanceSection() {
  const preferences = usePreferences();
  const change = useChangePreferences();
  return (
    <Section
      title="Appearance"
      id="appearance"
      about="Kept with your account: it holds in every browser. A change takes effect at once."
    >
      <div className={styles.fields}>
        <SelectField
          label="Theme"
          value={preferences.theme}
          onChange={({ target }) => change.mutate({ theme: target.value as Preferences['theme'] })}
        >
          <option value="system">As the system</option>
          <option value="light">Light</option>
          <option value="dark">Dark</option>
        </SelectField>
        <SelectField
          label="Diffs"
          hint="A narrow window always shows them in one column."
          value={preferences.diff}
          onChange={({ target }) => change.mutate({ diff: target.value as Preferences['diff'] })}
        >
          <option value="split">Before and after side by side</option>
          <option value="unified">In one column</option>
        </SelectField>
        <CheckField
          label="Single keys are shortcuts"
          hint="Off: the keyboard still reaches everything, and the command palette opens with Ctrl+K or ⌘K."
          checked={preferences.shortcuts}
          onChange={({ target }) => change.mutate({ shortcuts: target.checked })}
        />
        <NotificationField
          isOn={preferences.notifications}
          onChange={(notifications) => change.mutate({ notifications })}
        />
        {change.isError && <ErrorNotice error={change.error} />}
      </div>
    </Section>
  );
}

interface NotificationFieldProps {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** The browser is asked for its permission when the user turns them on, since it refuses to be asked otherwise. */
function NotificationField({ isOn, onChange }: NotificationFieldProps) {
  const permission = useNotificationState();
  const [isAsking, setIsAsking] = useState(false);
  const turnOn = async () => {
    setIsAsking(true);
    const answer = await askForNotifications();
    setIsAsking(false);
    if (answer === 'granted') onChange(true);
  };
  return (
    <CheckField
      label="Notifications of the browser"
      hint={notificationHelp[permission]}
      checked={isOn}
      disabled={isAsking || (!isOn && (permission === 'denied' || permission === 'unsupported'))}
      onChange={({ target }) => (target.checked ? void turnOn() : onChange(false))}
    />
  );
}
