import { useQueryClient } from "@tanstack/react-query";
import { ChevronDown } from "lucide-react";
import { useEffect, useRef } from "react";
import { LANGUAGE_FACTS, LANGUAGES } from "../../../db/shapes/language.ts";
import { sessionStore } from "../../api/session/session.ts";
import { m } from "../../messages/messages.js";
import type { Locale } from "../../messages/runtime.js";
import { changeLocale, useLocale } from "./locale.ts";
import { storeLanguage } from "./record-language.ts";

/** The page is remounting because of a button here, which then gets the focus back. */
let hasJustChosen = false;

/** A page has the buttons in several places, of which one is visible. */
function focusAfterChoice(control: HTMLElement | null): void {
  if (!hasJustChosen || !control?.checkVisibility()) return;
  control.focus();
  hasJustChosen = false;
}

/** The languages behind one small control, where the header has no room for all of them. */
export function LanguageMenu() {
  const locale = useLocale();
  const menu = useRef<HTMLDetailsElement>(null);
  const control = useRef<HTMLElement>(null);
  useEffect(() => {
    focusAfterChoice(control.current);
  }, []);
  useEffect(() => {
    const close = () => menu.current?.removeAttribute("open");
    // With the focus elsewhere it would lie over what has it.
    const onElsewhere = ({ target }: Event) => {
      if (target instanceof Node && !menu.current?.contains(target)) close();
    };
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== "Escape" || !menu.current?.open) return;
      close();
      control.current?.focus();
    };
    document.addEventListener("pointerdown", onElsewhere);
    document.addEventListener("focusin", onElsewhere);
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("pointerdown", onElsewhere);
      document.removeEventListener("focusin", onElsewhere);
      document.removeEventListener("keydown", onKey);
    };
  }, []);
  return (
    <details ref={menu} className="group relative" data-testid="language-menu">
      <summary
        ref={control}
        aria-label={`${m.language_group()}: ${locale.toUpperCase()}, ${LANGUAGE_FACTS[locale].name}`}
        className="flex min-h-11 min-w-11 list-none items-center justify-center gap-0.5 rounded-field px-2 text-sm font-semibold text-soft hover:bg-sunken [&::-webkit-details-marker]:hidden"
      >
        {locale.toUpperCase()}
        <ChevronDown aria-hidden className="size-4 transition-transform duration-150 group-open:rotate-180" />
      </summary>
      <div className="absolute top-full right-0 z-30 rounded-card border border-line bg-raised p-1 shadow-lg">
        <LanguageButtons />
      </div>
    </details>
  );
}

/**
 * One for each language, the base language last. The driver's record is updated too; if that fails, the page changes
 * all the same.
 */
export function LanguageButtons() {
  const current = useLocale();
  const queryClient = useQueryClient();
  const group = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    focusAfterChoice(group.current?.querySelector<HTMLElement>('[aria-pressed="true"]') ?? null);
  }, []);
  const choose = (locale: Locale) => {
    hasJustChosen = locale !== current;
    changeLocale(locale);
    if (sessionStore.get()) void storeLanguage(queryClient, locale);
  };
  return (
    <fieldset ref={group} aria-label={m.language_group()} className="flex">
      {LANGUAGES.toReversed().map((locale) => (
        <button
          key={locale}
          type="button"
          lang={locale}
          aria-label={`${locale.toUpperCase()}, ${LANGUAGE_FACTS[locale].name}`}
          aria-pressed={locale === current}
          onClick={() => choose(locale)}
          className="group grid min-h-11 min-w-11 place-items-center text-sm font-semibold text-soft aria-pressed:text-ink"
        >
          <span className="rounded-full px-2 py-1 group-hover:bg-sunken group-aria-pressed:bg-sunken group-aria-pressed:underline group-aria-pressed:decoration-2 group-aria-pressed:underline-offset-4">
            {locale.toUpperCase()}
          </span>
        </button>
      ))}
    </fieldset>
  );
}
