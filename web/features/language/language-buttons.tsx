import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { LANGUAGE_FACTS, LANGUAGES } from "../../../db/shapes/language.ts";
import { sessionStore } from "../../api/session/session.ts";
import { m } from "../../messages/messages.js";
import type { Locale } from "../../messages/runtime.js";
import { changeLocale, useLocale } from "./locale.ts";
import { storeLanguage } from "./store-language.ts";

/** The page is remounting because of a button here, which then gets the focus back. */
let hasJustChosen = false;

/** One for each language, the base language last. The driver's record is updated too; if that fails, the page changes all the same. */
export function LanguageButtons() {
  const current = useLocale();
  const queryClient = useQueryClient();
  const pressed = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (hasJustChosen) pressed.current?.focus();
    hasJustChosen = false;
  }, []);
  const choose = (locale: Locale) => {
    hasJustChosen = locale !== current;
    changeLocale(locale);
    if (sessionStore.get()) void storeLanguage(queryClient, locale);
  };
  return (
    <fieldset aria-label={m.language_group()} className="flex">
      {LANGUAGES.toReversed().map((locale) => (
        <button
          key={locale}
          ref={locale === current ? pressed : null}
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
