import { useSelector } from "@tanstack/react-store";
import { Monitor, Moon, Sun } from "lucide-react";
import { m } from "../../messages/messages.js";
import { chooseTheme, uiStore } from "../ui-state/ui-store.ts";

const CHOICES = [
  { theme: "light", Icon: Sun, name: m.theme_light },
  { theme: "dark", Icon: Moon, name: m.theme_dark },
  { theme: "system", Icon: Monitor, name: m.theme_system },
] as const;

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
