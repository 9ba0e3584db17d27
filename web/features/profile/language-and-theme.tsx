import type { ReactNode } from "react";
import { m } from "../../messages/messages.js";
import { LanguageButtons } from "../language/language-buttons.tsx";
import { ThemeSelector } from "../theme/theme-selector.tsx";
import { ProfileCard } from "./profile-card.tsx";

/** The language and the theme. */
export function LanguageAndTheme() {
  return (
    <ProfileCard title={m.profile_look()}>
      <div className="-my-2 grid">
        <Row label={m.language_group()}>
          <LanguageButtons />
        </Row>
        <Row label={m.theme_group()}>
          <ThemeSelector />
        </Row>
      </div>
    </ProfileCard>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4">
      <span aria-hidden className="font-semibold">
        {label}
      </span>
      {children}
    </div>
  );
}
