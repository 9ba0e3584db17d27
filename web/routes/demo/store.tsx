import { createFileRoute } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { DemoPage } from "../../features/demo/demo-page.tsx";
import { THEMES } from "../../features/ui-state/theme.ts";
import { isSheetOpen, openSheet, uiStore } from "../../features/ui-state/ui-store.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";

export const Route = createFileRoute("/demo/store")({ component: StoreDemo });

const THEME_NAMES = { light: m.theme_light, dark: m.theme_dark, system: m.theme_system };

/** The store behind the theme and the shell's sheets. */
function StoreDemo() {
  const theme = useSelector(uiStore, (state) => state.theme);
  const isOpen = useSelector(uiStore, (state) => isSheetOpen(state, "support"));
  return (
    <DemoPage title={m.demo_store()} text={m.demo_store_text()} code="web/features/ui-state/ui-store.ts">
      <output>
        {m.demo_store_state({
          theme: THEME_NAMES[theme](),
          sheet: isOpen ? m.demo_store_open() : m.demo_store_closed(),
        })}
      </output>
      <div className="flex flex-wrap gap-3">
        {THEMES.map((name) => (
          <Button
            key={name}
            aria-pressed={theme === name}
            onClick={() => uiStore.setState((state) => ({ ...state, theme: name }))}
          >
            {THEME_NAMES[name]()}
          </Button>
        ))}
        <Button variant="primary" onClick={() => openSheet("support")}>
          {m.nav_contact()}
        </Button>
      </div>
    </DemoPage>
  );
}
