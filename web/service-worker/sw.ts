import { parsePageMessage, type WorkerMessage } from "./page-messages.ts";
import {
  APP_SHELL,
  CACHE_PREFIX,
  findPage,
  isHashed,
  isOfBuild,
  isOutdatedCache,
  notificationUrl,
  parseQuestion,
  pageCacheKey,
  parsePushMessage,
  strategyFor,
  withoutMoment,
  UNHASHED_ASSETS,
  type PushedQuestion,
  type PushNotification,
} from "./strategy.ts";

declare const self: ServiceWorkerGlobalScope;
/** Set at build time; makes each build's service worker a different file. */
declare const BUILD: string;
/** The paths of all hashed files of this build. */
declare const ASSETS: readonly string[];

/** Pages and assets of this build; other builds' caches are deleted when this one activates. */
const CACHE = `${CACHE_PREFIX}${BUILD}`;

/** After this, a cached page is better than waiting for the network. */
const NETWORK_TIMEOUT_MS = 5000;

self.addEventListener("install", (event) => {
  event.waitUntil(install());
});

/**
 * The page, without which nothing opens offline, and every screen's code and words, so that one that was never opened does too.
 * A build that lacks a file doesn't replace one that has all of them: the browser installs it again later.
 */
async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.add(new Request(APP_SHELL, { cache: "reload" }));
  const paths = [...UNHASHED_ASSETS, ...ASSETS];
  const isWhole = await cacheAssets(paths.map((path) => new URL(path, self.location.origin).href));
  if (!isWhole && self.registration.active) throw new Error("the connection was lost during the update");
}

self.addEventListener("activate", (event) => {
  event.waitUntil(activate());
});

async function activate(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => isOutdatedCache(name, CACHE)).map((name) => caches.delete(name)));
  await self.clients.claim();
}

self.addEventListener("message", (event) => {
  const message = parsePageMessage(event.data);
  if (message?.kind === "take_over") event.waitUntil(self.skipWaiting());
  // Assets that the page fetched before this worker controlled it.
  if (message?.kind === "loaded") event.waitUntil(cacheAssets(message.urls));
});

/** @returns whether the network brought every file; the device may have had no room for it */
async function cacheAssets(urls: readonly string[]): Promise<boolean> {
  const cache = await caches.open(CACHE);
  let isWhole = true;
  for (const url of urls) {
    const isAsset = strategyFor({ method: "GET", mode: "no-cors", url }, self.location.origin) === "asset";
    if (!isAsset || (await cache.match(url))) continue;
    // An unchanged file has the same name in an earlier build's cache.
    const known = isHashed(url) ? await caches.match(url) : undefined;
    const response = known ?? (await fetch(url).catch(() => null));
    if (response?.ok) await cache.put(url, response).catch(() => undefined);
    isWhole &&= response !== null;
  }
  return isWhole;
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  switch (strategyFor(request, self.location.origin)) {
    case "bypass":
      return;
    case "page":
      return event.respondWith(respondWithPage(event));
    case "asset":
      return event.respondWith(respondWithAsset(event));
  }
});

/** A response that this build has cached; none where the browser can't read its cache. */
function find(key: string): Promise<Response | undefined> {
  return caches
    .open(CACHE)
    .then((cache) => cache.match(key))
    .catch(() => undefined);
}

/** Caches a response, where the device has room. Without, it is fetched anew each time. */
function keep(key: string, response: Response): Promise<void> {
  return caches
    .open(CACHE)
    .then((cache) => cache.put(key, response))
    .catch(() => undefined);
}

/** Network first; the cached page where the network fails or takes too long. */
async function respondWithPage({ request }: FetchEvent): Promise<Response> {
  const key = pageCacheKey(request.url);
  const cached = (key && (await find(key))) || (await find(APP_SHELL));
  const fromNetwork = fetch(request).then(async (response) => {
    const isPage = response.headers.get("content-type")?.startsWith("text/html");
    if (key && response.ok && isPage) await keepPage(key, response.clone());
    return response;
  });
  if (!cached) return fromNetwork;
  let timer: number | undefined;
  const timedOut = new Promise<Response>((resolve) => {
    timer = setTimeout(() => resolve(cached), NETWORK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([fromNetwork, timedOut]);
  } catch {
    return cached;
  } finally {
    clearTimeout(timer);
  }
}

/** Of a newer build the page alone would be here, whose files may never arrive. */
async function keepPage(key: string, response: Response): Promise<void> {
  const html = await response.text();
  const { headers, status } = response;
  // Cached without its URL, whose query may hold a token.
  if (isOfBuild(html, ASSETS)) await keep(key, new Response(withoutMoment(html), { headers, status }));
}

/** Cache first for hashed files, which never change; network first for the others. */
async function respondWithAsset({ request }: FetchEvent): Promise<Response> {
  const cached = await find(request.url);
  if (cached && isHashed(request.url)) return cached;
  try {
    const response = await fetch(request);
    if (response.ok) await keep(request.url, response.clone());
    return response;
  } catch (error) {
    if (cached) return cached;
    throw error;
  }
}

self.addEventListener("push", (event) => {
  const shown = parsePushMessage(parseJson(event.data));
  if (shown) event.waitUntil(showPush(shown));
});

function parseJson(data: PushMessageData | null): unknown {
  try {
    return data?.json();
  } catch {
    return null;
  }
}

async function showPush({ title, body, url, tag, question }: PushNotification): Promise<void> {
  const open = await self.clients.matchAll({ type: "window" });
  // `renotify` is not in TypeScript's types, since not all browsers know it.
  const options: NotificationOptions & { renotify: boolean } = {
    body,
    tag,
    data: { url, question, body },
    ...(question && {
      actions: [
        { action: "take", title: question.take },
        { action: "pass", title: question.pass },
      ],
    }),
    icon: "/icons/icon-192.png",
    badge: "/icons/badge-96.png",
    // Otherwise a browser replaces a notification of the same tag in silence; without a tag it refuses the request.
    renotify: tag !== "",
    // A visible page already announces it.
    silent: open.some(({ visibilityState }) => visibilityState === "visible"),
  };
  await self.registration.showNotification(title, options);
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { data, tag } = event.notification;
  const question = parseQuestion(data?.question);
  const isAnswer = event.action === "take" || event.action === "pass";
  event.waitUntil(
    question && isAnswer
      ? answerQuestion(question, { answer: event.action, body: String(data?.body ?? ""), tag })
      : openUrl(notificationUrl(data)),
  );
});

/** Answers a question without a page, and says what became of it in its place. */
async function answerQuestion(
  { token, unsent }: PushedQuestion,
  { answer, body, tag }: { answer: string; body: string; tag: string },
): Promise<void> {
  let said = unsent;
  try {
    const response = await fetch("/flex/v1/question-link", {
      method: "POST",
      headers: { authorization: `Link ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ answer }),
    });
    const result: unknown = response.ok ? await response.json() : null;
    if (typeof result === "object" && result !== null && "said" in result && typeof result.said === "string")
      said = result.said;
  } catch {
    // Without a connection it says so.
  }
  await self.registration.showNotification(said, {
    body,
    tag,
    data: { url: APP_SHELL },
    icon: "/icons/icon-192.png",
    badge: "/icons/badge-96.png",
    silent: true,
  });
}

/** A page that starts or is asleep, or that stands in for ours, listens to nobody: it is loaded anew after this. */
const LISTEN_TIMEOUT_MS = 2000;

/** In an open page where there is one, else in a new one. */
async function openUrl(url: string): Promise<void> {
  const page = findPage(await self.clients.matchAll({ type: "window", includeUncontrolled: true }));
  if (!page) {
    await self.clients.openWindow(url);
    return;
  }
  const isOpened = askToOpen(page, url);
  await page.focus().catch(() => undefined);
  if (!(await isOpened)) await page.navigate(url).catch(() => undefined);
}

/** @returns whether the page answers that it does */
function askToOpen(page: WindowClient, url: string): Promise<boolean> {
  const { port1: answers, port2: asked } = new MessageChannel();
  return new Promise((resolve) => {
    const settle = (isOpened: boolean) => {
      answers.close();
      resolve(isOpened);
    };
    answers.addEventListener("message", () => settle(true));
    answers.start();
    setTimeout(() => settle(false), LISTEN_TIMEOUT_MS);
    page.postMessage({ kind: "open", url } satisfies WorkerMessage, [asked]);
  });
}

/** The browser got a new push endpoint. The page sends it to the server, now or when it is next opened. */
self.addEventListener("pushsubscriptionchange", (event) => {
  event.waitUntil(resubscribe(event as Event as PushSubscriptionChangeEvent));
});

type PushSubscriptionChangeEvent = Event & { oldSubscription: PushSubscription | null };

async function resubscribe({ oldSubscription }: PushSubscriptionChangeEvent): Promise<void> {
  const key = oldSubscription?.options.applicationServerKey;
  if (!key) return;
  await self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  for (const page of await self.clients.matchAll({ type: "window" }))
    page.postMessage({ kind: "resubscribed" } satisfies WorkerMessage);
}
