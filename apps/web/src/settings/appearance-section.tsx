import { useState } from 'react';
import { applyTheme, type Theme, themes } from '../session/theme.ts';
import { SelectField } from '../ui/field.tsx';
import { Section } from '../ui/section.tsx';

const names: Readonly<Record<Theme, string>> = { system: 'As the system', light: 'Light', dark: 'Dark' };

/** How the console looks in this browser. */
export function AppearanceSection() {
  const [theme, setTheme] = useState(currentTheme);
  return (
    <Section title="Appearance" id="appearance">
      <SelectField
        label="Theme"
        value={theme}
        onChange={({ target }) => {
          const chosen = themes.find((one) => one === target.value) ?? 'system';
          applyTheme(chosen);
          setTheme(chosen);
        }}
      >
        {themes.map((one) => (
          <option key={one} value={one}>
            {names[one]}
          </option>
        ))}
      </SelectField>
    </Section>
  );
}

function currentTheme(): Theme {
  return themes.find((theme) => theme === document.documentElement.dataset.theme) ?? 'system';
}
