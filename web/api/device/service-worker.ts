import { createStore } from "@tanstack/react-store";
import {
  parseWorkerMessage,
  type PageMessage,
  type WorkerMessage,
} from "../../service-worker/page-messages.ts";

const CHECK_EVERY_MS = 3_600_000;

/** A newer version of the page that is waiting to take over; null if this one is the latest. */
export const updateStore = createStore<ServiceWorker | null>(null);

let registrationPromise: Promise<ServiceWorkerRegistration | null> | null = null;

/** Whether there is a service worker: only in builds, and in browsers that support it. */
export function hasServiceWorker(): boolean {
  return import.meta.env.PROD && "serviceWorker" in navigator;
}

/** Registers the service worker; null if that isn't possible. */
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

/** Lets the waiting version take over, and then reloads the page. */
export function applyUpdate(waiting: ServiceWorker): void {
  // Another tab let it, so that no change of the controller is to come.
  if (waiting.state !== "installed") return location.reload();
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
  waiting.postMessage({ kind: "take_over" } satisfies PageMessage);
}

/** Listens to the service worker for as long as the page lives, and answers where it asks whether anybody does. */
export function onServiceWorkerMessage(handler: (message: WorkerMessage) => void): void {
  if (!hasServiceWorker()) return;
  navigator.serviceWorker.addEventListener("message", ({ data, ports: [asking] }) => {
    const message = parseWorkerMessage(data);
    if (!message) return;
    handler(message);
    asking?.postMessage(null);
  });
}

function watchForUpdates(registration: ServiceWorkerRegistration): void {
  const { serviceWorker } = navigator;
  const postLoadedUrls = () => {
    const urls = performance.getEntriesByType("resource").map(({ name }) => name);
    serviceWorker.controller?.postMessage({ kind: "loaded", urls } satisfies PageMessage);
  };
  const publishWaitingWorker = () => {
    // The first version doesn't wait.
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
