import { useLayoutEffect, type ReactNode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { hasReloadedFor, markMissingChunk } from "../features/errors/missing-chunk.ts";
import { currentLocale } from "../features/language/locale.ts";
import { followRecordLanguage } from "../features/language/record-language.ts";
import { startOfflineCache } from "../api/cache/offline-cache.ts";
import { queryClient } from "../api/client/query-client.ts";
import { HEALTH_PATH } from "../api/client/request.ts";
import { sessionStore } from "../api/session/session.ts";
import { isLoadedForChallenge } from "../features/account/challenge-page.ts";
import { storeInviter } from "../features/account/inviter.ts";
import { noteChatWanted, endChatWithSession } from "../features/chat/chat-page.ts";
import { loadTheme } from "../features/ui-state/theme.ts";
import { uiStore } from "../features/ui-state/ui-store.ts";
import { forgetEarlyCalls } from "../early/early-calls.ts";
import { hasStoredSession, pageRoot, paintedAs } from "../early/page-root.ts";
import { Page } from "./page.tsx";
import { createPageRouter, type PageRouter } from "./router.ts";
import { followHistory } from "../ui/sheet-history.ts";
import { loadAllMessages, loadFirstMessages } from "../early/message-texts.ts";

const SETTLE_EVERY_MS = 1000;
const SETTLE_TRIES = 10;

followHistory();
// Before the router drops parameters that its route does not know.
storeInviter(location.search, Date.now());
noteChatWanted(location.search);
const router = createPageRouter(queryClient);
const page = <Page router={router} queryClient={queryClient} />;
reloadOnMissingChunk(router);
loadFormsWithChallenge(router);
followRecordLanguage(queryClient);
endChatWithSession();

/** Brings a whole page to life, whose HTML was rendered at build time for a visitor with the default theme. */
async function hydrate(root: HTMLElement): Promise<void> {
  await loadFirstMessages(currentLocale());
  // Like the HTML, without a boundary around the screen.
  router.ssr = { manifest: undefined };
  await router.load();
  sessionStore.setState(() => null);
  uiStore.setState((state) => ({ ...state, theme: "system" }));
  root.querySelector(":scope > .overdue-code")?.remove();
  await new Promise<void>((resolve) => {
    // At once, before an effect of the page looks for the session.
    const onMount = () => {
      delete root.dataset["painted"];
      sessionStore.setState(() => undefined);
      uiStore.setState((state) => ({ ...state, theme: loadTheme() }));
      resolve();
    };
    hydrateRoot(root, <WithCallback onMount={onMount}>{page}</WithCallback>, { onRecoverableError: ignore });
  });
  // React brings a part to life at once when something happens in it; otherwise the screen would follow its frame.
  root.querySelector("main")?.dispatchEvent(new Event("input", { bubbles: true }));
  // Text typed before is entered by then.
  await new Promise((resolve) => {
    setTimeout(resolve);
  });
  startRest();
}

/** A form that begins with the challenge is a page of its own: only that one's policy allows it. */
function loadFormsWithChallenge({ subscribe }: PageRouter): void {
  subscribe("onBeforeNavigate", ({ fromLocation, toLocation }) => {
    if (fromLocation && isLoadedForChallenge(toLocation.pathname)) location.assign(toLocation.publicHref);
  });
}

/** The HTML may be another screen's than the one that the address or this tab leads to: then it is rendered anew. */
const ignore = () => undefined;

/** Calls back once what it contains has come to life, before that is painted. */
function WithCallback({ onMount, children }: { onMount: () => void; children: ReactNode }) {
  useLayoutEffect(onMount, [onMount]);
  return children;
}

/** Renders the page, in place of what its HTML painted as soon as there is something to see. */
function render(painted: HTMLElement): void {
  // A driver's frame, which also stands in for any page that isn't on the device. Nobody else sees it.
  if (!hasStoredSession() && painted.querySelector("main")) painted.replaceChildren();
  const root = document.createElement("div");
  root.id = painted.id;
  const swap = new MutationObserver(() => {
    if (!root.querySelector("header, main")) return;
    swap.disconnect();
    painted.replaceWith(root);
  });
  swap.observe(root, { childList: true, subtree: true });
  createRoot(root).render(page);
  startRest();
}

/** Parts that the first screen doesn't wait for. */
function startRest(): void {
  // It fills in what the network hasn't answered yet.
  startOfflineCache(queryClient);
  onceSettled(() => {
    forgetEarlyCalls();
    onceOnline(() => {
      loadAllMessages().catch(ignore);
      void import("./app-lifecycle.tsx").then(({ startAppLifecycle }) => startAppLifecycle(router));
    });
  });
}

/**
 * Calls back once code can be fetched: a failed module isn't fetched again before a reload. A service worker has it
 * offline too.
 */
function onceOnline(callback: () => void): void {
  const isServed = "serviceWorker" in navigator && navigator.serviceWorker.controller !== null;
  if (navigator.onLine || isServed) callback();
  else addEventListener("online", callback, { once: true });
}

/** Calls back when nothing of the screen is on its way anymore; on a network that brings nothing, after a while. */
function onceSettled(callback: () => void, tries = SETTLE_TRIES): void {
  setTimeout(() => {
    if (tries > 1 && document.querySelector("[data-skeleton]")) onceSettled(callback, tries - 1);
    else callback();
  }, SETTLE_EVERY_MS);
}

/**
 * After a deployment the chunks of the old page are gone: this reloads the page, once per chunk. Only during a
 * navigation: a preload that fails must not cost anybody their place. Where its screen is opened then, the screen reloads.
 */
function reloadOnMissingChunk(router: PageRouter): void {
  addEventListener("vite:preloadError", ({ payload }) => {
    markMissingChunk(payload);
    if (router.state.isLoading && navigator.onLine) void reloadFor(payload.message);
  });
}

/** The same for what the page can't start without. */
function reloadForMissing(error: unknown): void {
  void reloadFor(error instanceof Error ? error.message : "the start");
}

/** Only from a server that answers: of a page that is reloaded in vain nothing is left. The screen waits for it. */
async function reloadFor(message: string): Promise<void> {
  const response = await fetch(HEALTH_PATH, { cache: "no-store" }).catch(() => null);
  if (response && !hasReloadedFor(message)) location.reload();
}

const root = pageRoot();
const painted = paintedAs(root);
if (painted === "frame") void loadFirstMessages(currentLocale()).then(() => render(root), reloadForMissing);
else if (painted === "whole") void hydrate(root);
else window.hydratePage = () => hydrate(root);
