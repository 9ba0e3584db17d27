import { useSelector } from "@tanstack/react-store";
import { useLayoutEffect } from "react";
import { uiStore, chooseTheme } from "./ui-store.ts";
import { followTheme } from "./theme.ts";
import { Monitor, Moon, Sun } from "lucide-react";
import { m } from "../../messages/messages.js";

const CHOICES = [
  { theme: "light", Icon: Sun, name: m.theme_light },
  { theme: "dark", Icon: Moon, name: m.theme_dark },
  { theme: "system", Icon: Monitor, name: m.theme_system },
] as const;

/** Applies the chosen theme; `system` follows the device live. The landing page is always light. */
export function ThemeEffect({ alwaysLight }: { alwaysLight: boolean }) {
  const chosen = useSelector(uiStore, (state) => state.theme);
  const theme = alwaysLight ? "light" : chosen;
  // A layout effect, so that nothing is painted in the other theme first.
  useLayoutEffect(() => followTheme(theme), [theme]);
  return null;
}

/** Light, dark or system. */
export function ThemeSelector() {
  const current = useSelector(uiStore, (state) => state.theme);
  return (
    <fieldset aria-label={m.theme_group()} className="flex">
      {CHOICES.map(({ theme, Icon, name }) => (
        <button
          key={theme}
          type="button"
          aria-label={name()}
          title={name()}
          aria-pressed={theme === current}
          onClick={() => chooseTheme(theme)}
          className="group grid size-11 place-items-center text-soft aria-pressed:text-ink"
        >
          <span className="rounded-full p-2 group-hover:bg-sunken group-aria-pressed:bg-sunken">
            <Icon aria-hidden className="size-4.5" />
          </span>
        </button>
      ))}
    </fieldset>
  );
}
