import * as z from "zod/mini";
import { api, readDeployment } from "./client.ts";
import { readProblem } from "./problem.ts";
import { registerServiceWorker, hasServiceWorker } from "./service-worker.ts";
import { readSession, sessionStore } from "./session.ts";
import { readStored, removeStored, writeStored } from "./stored.ts";

/** Whether this browser tells its driver. On an iPhone only a page that was installed can. */
export type PushState = "unsupported" | "needs_install" | "denied" | "off" | "on";

/** The browser's own push service could not be reached, or refused. */
export class PushServiceError extends Error {
  override name = "PushServiceError";
}

const KEPT_UNDER = "jornada.push";

/** For whom this browser listens, and the address that the server knows. */
const kept = z.object({ driver: z.string(), endpoint: z.string() });

/** How this browser stands to notifications now; asks for nothing. */
export async function readPushState(): Promise<PushState> {
  if (!hasServiceWorker() || !("PushManager" in window) || !("Notification" in window))
    return isUninstalledOnIos() ? "needs_install" : "unsupported";
  if (await isDenied()) return "denied";
  const mine = readStored(kept, KEPT_UNDER);
  const subscription = await findSubscription();
  return subscription && mine?.driver === sessionStore.get()?.username ? "on" : "off";
}

/**
 * Asks for permission, and if it is given listens for the driver from now on. Only upon a tap.
 * @throws {PushServiceError}
 * @throws {ApiError}
 */
export async function turnPushOn(): Promise<PushState> {
  const permission = await Notification.requestPermission();
  const { vapidPublicKey } = await readDeployment();
  if (permission !== "granted") return permission === "denied" ? "denied" : "off";
  const registration = await registerServiceWorker();
  if (!registration || !vapidPublicKey) return "unsupported";
  const subscription = await subscribe(await navigator.serviceWorker.ready, vapidPublicKey);
  try {
    await tellServer(subscription);
  } catch (error) {
    await subscription.unsubscribe().catch(() => false);
    throw error;
  }
  return "on";
}

/** @throws {ApiError} where the server can't be told; then it stays on. */
export async function turnPushOff(): Promise<PushState> {
  const subscription = await findSubscription();
  if (subscription) {
    const { endpoint } = subscription;
    const response = await api.flex.v1.user.push.$delete({ json: { endpoint } });
    if (!response.ok) throw await readProblem(response);
    await subscription.unsubscribe().catch(() => false);
  }
  removeStored(KEPT_UNDER);
  return "off";
}

/** Tells the server where this browser listens where it does not know yet: the address or the key has changed. */
export async function renewPush(): Promise<void> {
  const driver = sessionStore.get()?.username;
  const subscription = driver ? await findSubscription() : null;
  if (!subscription) return;
  const mine = readStored(kept, KEPT_UNDER);
  // Somebody else's, who left without saying so.
  if (mine?.driver !== driver) return dropPush();
  const { vapidPublicKey } = await readDeployment();
  if (!vapidPublicKey) return dropPush();
  if (isOfKey(subscription, vapidPublicKey)) {
    if (mine?.endpoint !== subscription.endpoint) await tellServer(subscription);
    return;
  }
  await subscription.unsubscribe();
  await tellServer(await subscribe(await navigator.serviceWorker.ready, vapidPublicKey));
}

/** Listens no more, whoever it was for. The server learns of it from the push service. */
export async function dropPush(): Promise<void> {
  removeStored(KEPT_UNDER);
  await (await findSubscription())?.unsubscribe().catch(() => false);
}

/** Whether the driver for whom this browser listens has signed out, and not only lost the connection. */
export async function hasLeft(): Promise<boolean> {
  const { identity } = await readDeployment();
  return readSession(identity.clientId) === null;
}

async function subscribe(
  registration: ServiceWorkerRegistration,
  vapidPublicKey: string,
): Promise<PushSubscription> {
  const applicationServerKey = bytesOf(vapidPublicKey);
  try {
    const known = await registration.pushManager.getSubscription();
    if (known && !isOfKey(known, vapidPublicKey)) await known.unsubscribe();
    return await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  } catch {
    throw new PushServiceError();
  }
}

const keys = z.object({ p256dh: z.string(), auth: z.string() });

async function tellServer(subscription: PushSubscription): Promise<void> {
  const { endpoint } = subscription;
  const parsed = z.safeParse(keys, subscription.toJSON().keys);
  if (!parsed.success) throw new PushServiceError();
  const response = await api.flex.v1.user.push.$put({ json: { endpoint, keys: parsed.data } });
  if (!response.ok) throw await readProblem(response);
  const driver = sessionStore.get()?.username;
  if (driver) writeStored(KEPT_UNDER, { driver, endpoint } satisfies z.infer<typeof kept>);
}

async function findSubscription(): Promise<PushSubscription | null> {
  if (!hasServiceWorker()) return null;
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager?.getSubscription()) ?? null;
}

function isOfKey({ options }: PushSubscription, vapidPublicKey: string): boolean {
  const key = options.applicationServerKey;
  return key === null || new Uint8Array(key).join() === bytesOf(vapidPublicKey).join();
}

function bytesOf(base64Url: string): Uint8Array<ArrayBuffer> {
  const plain = atob(base64Url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}

/** The permission itself, where the browser says it; some call what was never asked for denied. */
async function isDenied(): Promise<boolean> {
  const permissions: Permissions | undefined = navigator.permissions;
  const found = await permissions?.query({ name: "notifications" }).catch(() => null);
  return (found?.state ?? Notification.permission) === "denied";
}

function isUninstalledOnIos(): boolean {
  const isIos =
    /iPhone|iPad|iPod/.test(navigator.userAgent) ||
    (navigator.userAgent.includes("Macintosh") && navigator.maxTouchPoints > 1);
  return isIos && !matchMedia("(display-mode: standalone)").matches;
}
