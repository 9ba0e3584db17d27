import { createStore } from "@tanstack/react-store";
import type { PageMessage, WorkerMessage } from "../service-worker/page-messages.ts";

const CHECK_EVERY_MS = 3_600_000;

/** A version of the page that waits to take over; null where this one is the latest. */
export const updateStore = createStore<ServiceWorker | null>(null);

let registrationPromise: Promise<ServiceWorkerRegistration | null> | null = null;

/** Whether pages of this kind have one: a build's, on a browser that can. */
export function hasServiceWorker(): boolean {
  return import.meta.env.PROD && "serviceWorker" in navigator;
}

/** Sees to it that the service worker stands beside the page; null where it can't. */
export function registerServiceWorker(): Promise<ServiceWorkerRegistration | null> {
  if (!hasServiceWorker()) return Promise.resolve(null);
  registrationPromise ??= navigator.serviceWorker
    .register("/sw.js")
    .then((registration) => {
      watchForUpdates(registration);
      return registration;
    })
    .catch(() => {
      registrationPromise = null;
      return null;
    });
  return registrationPromise;
}

/** Lets the version that waits take over; the page loads anew as soon as it has. */
export function applyUpdate(waiting: ServiceWorker): void {
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
  waiting.postMessage({ kind: "take_over" } satisfies PageMessage);
}

/** What the service worker says, as long as the page lives. */
export function onServiceWorkerMessage(handler: (message: WorkerMessage) => void): void {
  if (!hasServiceWorker()) return;
  navigator.serviceWorker.addEventListener("message", ({ data }) => handler(data as WorkerMessage));
}

function watchForUpdates(registration: ServiceWorkerRegistration): void {
  const { serviceWorker } = navigator;
  const postLoadedUrls = () => {
    const urls = performance.getEntriesByType("resource").map(({ name }) => name);
    serviceWorker.controller?.postMessage({ kind: "loaded", urls } satisfies PageMessage);
  };
  const publishWaitingWorker = () => {
    // The first version waits for nobody.
    if (serviceWorker.controller) updateStore.setState(() => registration.waiting);
  };
  serviceWorker.addEventListener("controllerchange", postLoadedUrls);
  postLoadedUrls();
  publishWaitingWorker();
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", publishWaitingWorker);
  });
  let checkedAt = Date.now();
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible" || Date.now() - checkedAt < CHECK_EVERY_MS) return;
    checkedAt = Date.now();
    void registration.update().catch(() => undefined);
  });
}
