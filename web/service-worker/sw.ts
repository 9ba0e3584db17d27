import type { PageWord, WorkerWord } from "./words.ts";
import { isHashed, pageKey, readMessage, SHELL, strategyFor } from "./strategy.ts";

declare const self: ServiceWorkerGlobalScope;
/** Names the build: another one is another version of this file. */
declare const BUILD: string;

/** Pages and files of this build. Those of another are dropped when this version takes over. */
const CACHE = `jornada-${BUILD}`;

/** A page that is older is better than none for so long. */
const LONGEST_WAIT_MS = 5000;

self.addEventListener("install", (event) => {
  // The page alone: what it needs is kept as it is fetched.
  event.waitUntil(caches.open(CACHE).then((cache) => cache.add(new Request(SHELL, { cache: "reload" }))));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(takeOver());
});

async function takeOver(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name)));
  await self.clients.claim();
}

self.addEventListener("message", (event) => {
  const word = event.data as PageWord;
  if (word.kind === "take_over") event.waitUntil(self.skipWaiting());
  // What the page fetched before this worker stood beside it.
  if (word.kind === "loaded") event.waitUntil(keep(word.urls));
});

async function keep(urls: readonly string[]): Promise<void> {
  const cache = await caches.open(CACHE);
  for (const url of urls) {
    const isOurs = strategyFor({ method: "GET", mode: "no-cors", url }, self.location.origin) === "asset";
    if (isOurs && !(await cache.match(url))) await cache.add(url).catch(() => undefined);
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  switch (strategyFor(request, self.location.origin)) {
    case "leave":
      return;
    case "page":
      return event.respondWith(answerPage(event));
    case "asset":
      return event.respondWith(answerAsset(event));
  }
});

/** The server's; where it can't be reached or takes too long, the one that it gave last. */
async function answerPage({ request }: FetchEvent): Promise<Response> {
  const cache = await caches.open(CACHE);
  const key = pageKey(request.url);
  const kept = (key && (await cache.match(key))) || (await cache.match(SHELL));
  const asked = fetch(request).then(async (response) => {
    const isPage = response.headers.get("content-type")?.startsWith("text/html");
    // A copy by its own name: the address that was asked for may hold what is nobody's to keep.
    if (key && response.ok && isPage) await cache.put(key, copyOf(response.clone()));
    return response;
  });
  if (!kept) return asked;
  const { promise: waited, resolve } = Promise.withResolvers<Response>();
  const timer = setTimeout(() => resolve(kept), LONGEST_WAIT_MS);
  try {
    return await Promise.race([asked, waited]);
  } catch {
    return kept;
  } finally {
    clearTimeout(timer);
  }
}

function copyOf({ body, headers, status }: Response): Response {
  return new Response(body, { headers, status });
}

/** A file with a hash in its name is what it was; another is the server's where that can be reached. */
async function answerAsset({ request }: FetchEvent): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request.url);
  if (kept && isHashed(request.url)) return kept;
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request.url, response.clone());
    return response;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

self.addEventListener("push", (event) => {
  const shown = readMessage(readJson(event.data));
  if (shown) event.waitUntil(show(shown));
});

function readJson(data: PushMessageData | null): unknown {
  try {
    return data?.json();
  } catch {
    return null;
  }
}

async function show({ title, body, url, tag }: ReturnType<typeof readMessage> & object): Promise<void> {
  const open = await self.clients.matchAll({ type: "window" });
  await self.registration.showNotification(title, {
    body,
    tag,
    data: { url },
    icon: "/icons/icon-192.png",
    badge: "/icons/badge-96.png",
    // Whoever looks at the page hears it from there.
    silent: open.some(({ visibilityState }) => visibilityState === "visible"),
  });
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { url } = event.notification.data as { url: string };
  event.waitUntil(open(url));
});

/** On a page that is there already, else on a new one. */
async function open(url: string): Promise<void> {
  const [page] = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (!page) {
    await self.clients.openWindow(url);
    return;
  }
  page.postMessage({ kind: "open", url } satisfies WorkerWord);
  await page.focus().catch(() => undefined);
}

/** The push service gave the browser another address: the page tells the server, now or when it is opened next. */
self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(resubscribe(event as Event as PushSubscriptionChangeEvent));
});

type PushSubscriptionChangeEvent = Event & { oldSubscription: PushSubscription | null };

async function resubscribe({ oldSubscription }: PushSubscriptionChangeEvent): Promise<void> {
  const key = oldSubscription?.options.applicationServerKey;
  if (!key) return;
  await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  for (const page of await self.clients.matchAll({ type: "window" }))
    page.postMessage({ kind: "resubscribed" } satisfies WorkerWord);
}
