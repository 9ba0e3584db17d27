import { createStore } from "@tanstack/react-store";
import type { PageWord, WorkerWord } from "../service-worker/words.ts";

const LOOK_EVERY_MS = 3_600_000;

/** A version of the page that waits to take over; null where this one is the latest. */
export const updateStore = createStore<ServiceWorker | null>(null);

let registered: Promise<ServiceWorkerRegistration | null> | null = null;

/** Whether pages of this kind have one: a build's, on a browser that can. */
export function hasServiceWorker(): boolean {
  return import.meta.env.PROD && "serviceWorker" in navigator;
}

/** Sees to it that the service worker stands beside the page; null where it can't. */
export function registerServiceWorker(): Promise<ServiceWorkerRegistration | null> {
  if (!hasServiceWorker()) return Promise.resolve(null);
  registered ??= navigator.serviceWorker
    .register("/sw.js")
    .then((registration) => {
      watch(registration);
      return registration;
    })
    .catch(() => {
      registered = null;
      return null;
    });
  return registered;
}

/** Lets the version that waits take over; the page loads anew as soon as it has. */
export function takeUpdate(waiting: ServiceWorker): void {
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
  waiting.postMessage({ kind: "take_over" } satisfies PageWord);
}

/** What the service worker says, as long as the page lives. */
export function hearServiceWorker(take: (word: WorkerWord) => void): void {
  if (!hasServiceWorker()) return;
  navigator.serviceWorker.addEventListener("message", ({ data }) => take(data as WorkerWord));
}

function watch(registration: ServiceWorkerRegistration): void {
  const { serviceWorker } = navigator;
  const tellLoaded = () => {
    const urls = performance.getEntriesByType("resource").map(({ name }) => name);
    serviceWorker.controller?.postMessage({ kind: "loaded", urls } satisfies PageWord);
  };
  const tellWaiting = () => {
    // The first version waits for nobody.
    if (serviceWorker.controller) updateStore.setState(() => registration.waiting);
  };
  serviceWorker.addEventListener("controllerchange", tellLoaded);
  tellLoaded();
  tellWaiting();
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", tellWaiting);
  });
  let lookedAt = Date.now();
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible" || Date.now() - lookedAt < LOOK_EVERY_MS) return;
    lookedAt = Date.now();
    void registration.update().catch(() => undefined);
  });
}
