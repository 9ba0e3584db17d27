import { useNavigate } from "@tanstack/react-router";
import { createStore, useSelector, type Store } from "@tanstack/react-store";
import { useEffect } from "react";
import type { Language } from "../../../db/shapes/language.ts";
import { changeLocale } from "../language/locale.ts";

/** The link of a text that was opened; `hasLanguage` once the page has taken on the language of the text. */
type OpenedLink =
  | { status: "none" }
  | { status: "malformed"; token: string }
  | { status: "opened"; token: string; hasLanguage: boolean };

/** The latest link of one screen, in memory only. Outlives a change of language, which remounts the screen. */
export class LinkStore {
  readonly #tokenLength: number;
  readonly link: Store<OpenedLink> = createStore<OpenedLink>({ status: "none" });

  constructor(tokenLength: number) {
    this.#tokenLength = tokenLength;
  }

  /** Opens a link by the fragment of its address. */
  open(fragment: string): void {
    const isToken = fragment.length === this.#tokenLength && /^[\w-]+$/.test(fragment);
    this.link.setState(() =>
      isToken
        ? { status: "opened", token: fragment, hasLanguage: false }
        : { status: "malformed", token: fragment },
    );
  }

  /** @returns whether the language of a link's text is still to be taken on, which happens once for each opening */
  takeLanguage(token: string): boolean {
    const link = this.link.get();
    if (link.status !== "opened" || link.token !== token || link.hasLanguage) return false;
    this.link.setState(() => ({ ...link, hasLanguage: true }));
    return true;
  }
}

/**
 * The link of a screen's address, whose fragment is the token; `reading` during the first render, also where another link
 * was open. Reads the token once and drops it from the address.
 */
export function useOpenedLink(
  links: LinkStore,
  { hash, to }: { hash: string; to: "/undo" | "/renewal" | "/receipts" | "/q" },
): OpenedLink | { status: "reading" } {
  const navigate = useNavigate();
  const link = useSelector(links.link);
  useEffect(() => {
    if (hash === "") return;
    links.open(hash);
    void navigate({ to, hash: "", replace: true });
  }, [links, hash, to, navigate]);
  const isRead = hash === "" || (link.status !== "none" && link.token === hash);
  return isRead ? link : { status: "reading" };
}

/** Takes on the language of a link's text, once it is known; after that a driver may choose another. */
export function useLinkLanguage(links: LinkStore, token: string, language: Language | undefined): void {
  useEffect(() => {
    if (language !== undefined && links.takeLanguage(token)) changeLocale(language);
  }, [links, token, language]);
}
