import * as z from "zod/mini";
import { isRecord, unchanged } from "../../../db/shapes/versioned.ts";
import { api, fetchConfig } from "../client/client.ts";
import { errorCodeOf, parseRequestError } from "../client/request-error.ts";
import { registerServiceWorker, hasServiceWorker } from "./service-worker.ts";
import { currentSession, loadSession, sessionStore } from "../session/session.ts";
import { createStored } from "../cache/storage.ts";

/** Whether this browser notifies its driver. On an iPhone only an installed page can. */
export type PushState = "unsupported" | "needs_install" | "denied" | "off" | "on";

/** The browser's own push service could not be reached, or refused. */
export class PushServiceError extends Error {
  override name = "PushServiceError";
}

/** The driver that this browser is subscribed for, the endpoint that the server knows, and the sign-in that it ends with. */
export const storedSubscription = {
  key: "jornada.push",
  shape: z.object({ driver: z.string(), endpoint: z.string(), session: z.nullable(z.string()) }),
  upcasts: [unchanged, (stored: unknown) => (isRecord(stored) ? { ...stored, session: null } : stored)],
};
const registered = createStored(storedSubscription);

/** The state of notifications in this browser; doesn't ask for permission. */
export async function loadPushState(): Promise<PushState> {
  if (!hasServiceWorker() || !("PushManager" in window) || !("Notification" in window))
    return needsIosInstall() ? "needs_install" : "unsupported";
  if (await isDenied()) return "denied";
  const stored = registered.load();
  const subscription = await findSubscription();
  return subscription && stored?.driver === sessionStore.get()?.username ? "on" : "off";
}

/**
 * Asks for permission and, if granted, subscribes the browser for the driver. Call it only on a tap.
 * @throws {PushServiceError}
 * @throws {RequestError}
 */
export async function enablePush(): Promise<PushState> {
  const permission = await Notification.requestPermission();
  const { vapidPublicKey } = await fetchConfig();
  if (permission !== "granted") return permission === "denied" ? "denied" : "off";
  const registration = await registerServiceWorker();
  if (!registration || !vapidPublicKey) return "unsupported";
  const subscription = await subscribe(await navigator.serviceWorker.ready, vapidPublicKey);
  try {
    await registerSubscription(subscription);
  } catch (error) {
    await subscription.unsubscribe().catch(() => undefined);
    throw error;
  }
  return "on";
}

/** @throws {RequestError} if the server can't be reached; the subscription then stays. */
export async function disablePush(): Promise<PushState> {
  const subscription = await findSubscription();
  if (subscription) {
    const { endpoint } = subscription;
    const response = await api.flex.v1.user.push.$delete({ json: { endpoint } });
    if (!response.ok) throw await parseRequestError(response);
    await subscription.unsubscribe().catch(() => undefined);
  }
  registered.remove();
  return "off";
}

/** Sends the server this browser's subscription if its endpoint or key has changed, or the driver has signed in anew. */
export async function refreshPushSubscription(): Promise<void> {
  const driver = sessionStore.get()?.username;
  const subscription = driver ? await findSubscription() : null;
  if (!subscription) return;
  const stored = registered.load();
  // Another driver's, who didn't sign out.
  if (!stored || stored.driver !== driver) return unsubscribePush();
  const { vapidPublicKey } = await fetchConfig();
  if (!vapidPublicKey) return unsubscribePush();
  if (usesKey(subscription, vapidPublicKey)) {
    const isKnown = stored.endpoint === subscription.endpoint && stored.session === currentSession();
    if (!isKnown) await renewSubscription(subscription);
    return;
  }
  await subscription.unsubscribe();
  await renewSubscription(await subscribe(await navigator.serviceWorker.ready, vapidPublicKey));
}

/**
 * Registers a subscription in place of another. The server takes an endpoint that it doesn't know only soon after a sign-in:
 * where it refuses, notifications are off, so that the driver sees it and can turn them on.
 */
async function renewSubscription(subscription: PushSubscription): Promise<void> {
  try {
    await registerSubscription(subscription);
  } catch (error) {
    if (errorCodeOf(error) === "sign_in_again") await unsubscribePush();
    throw error;
  }
}

/** Unsubscribes the browser, whichever driver it was for. The push service reports that to the server. */
export async function unsubscribePush(): Promise<void> {
  registered.remove();
  await (await findSubscription())?.unsubscribe().catch(() => undefined);
}

/** Whether the subscribed driver has signed out, and not only lost the connection. */
export async function hasSignedOut(): Promise<boolean> {
  const { identity } = await fetchConfig();
  return loadSession(identity.clientId) === null;
}

async function subscribe(
  registration: ServiceWorkerRegistration,
  vapidPublicKey: string,
): Promise<PushSubscription> {
  const applicationServerKey = decodeBase64Url(vapidPublicKey);
  try {
    const existing = await registration.pushManager.getSubscription();
    // The server lost the one that it knew: the push service may have dropped that, unknown to the browser.
    const isLost = existing?.endpoint === registered.load()?.endpoint;
    if (existing && (isLost || !usesKey(existing, vapidPublicKey))) await existing.unsubscribe();
    return await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  } catch {
    throw new PushServiceError();
  }
}

const subscriptionKeys = z.object({ p256dh: z.string(), auth: z.string() });

async function registerSubscription(subscription: PushSubscription): Promise<void> {
  const { endpoint } = subscription;
  const parsed = z.safeParse(subscriptionKeys, subscription.toJSON().keys);
  if (!parsed.success) throw new PushServiceError();
  const response = await api.flex.v1.user.push.$put({ json: { endpoint, keys: parsed.data } });
  if (!response.ok) throw await parseRequestError(response);
  const driver = sessionStore.get()?.username;
  if (driver) registered.save({ driver, endpoint, session: currentSession() });
}

async function findSubscription(): Promise<PushSubscription | null> {
  if (!hasServiceWorker()) return null;
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager?.getSubscription()) ?? null;
}

function usesKey({ options }: PushSubscription, vapidPublicKey: string): boolean {
  const key = options.applicationServerKey;
  return key === null || new Uint8Array(key).join() === decodeBase64Url(vapidPublicKey).join();
}

function decodeBase64Url(base64Url: string): Uint8Array<ArrayBuffer> {
  const plain = atob(base64Url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

/** The permission as the browser reports it; some report `denied` before it was ever requested. */
async function isDenied(): Promise<boolean> {
  const permissions: Permissions | undefined = navigator.permissions;
  const found = await permissions?.query({ name: "notifications" }).catch(() => null);
  return (found?.state ?? Notification.permission) === "denied";
}

function needsIosInstall(): boolean {
  const isIos =
    /iPhone|iPad|iPod/.test(navigator.userAgent) ||
    (navigator.userAgent.includes("Macintosh") && navigator.maxTouchPoints > 1);
  return isIos && !matchMedia("(display-mode: standalone)").matches;
}
