import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const ORIGIN = "https://jornada.example";
const SHELL = `${ORIGIN}/flex/dashboard`;
const ASSETS = ["/assets/main-1.js", "/assets/messages-es-1.js"];
const PAGE = '<script src="/assets/main-1.js"></script>';

/** The bodies that the server sends, by path; null where the connection is lost. */
let server: Map<string, string | null>;
let files: FakeCaches;
let handlers: Map<string, (event: object) => void>;
let worker: { registration: { active: object | null }; clients: { matchAll: () => Promise<object[]> } };

/** The browser's caches, by name and absolute address. */
class FakeCaches {
  readonly stored = new Map<string, Map<string, Response>>();

  async open(name: string) {
    const entries = this.stored.get(name) ?? new Map<string, Response>();
    this.stored.set(name, entries);
    const put = async (key: string, response: Response) => {
      entries.set(toUrl(key), response);
    };
    return {
      put,
      match: async (key: string) => entries.get(toUrl(key))?.clone(),
      add: async (asked: string | Request) => put(toUrl(asked), await fetch(toUrl(asked))),
    };
  }

  async match(key: string) {
    for (const entries of this.stored.values()) if (entries.has(key)) return entries.get(key)?.clone();
    return undefined;
  }

  paths(name = "jornada-build"): string[] {
    return [...(this.stored.get(name)?.keys() ?? [])].map((url) => new URL(url).pathname).toSorted();
  }
}

const toUrl = (asked: string | { url: string }) =>
  new URL(typeof asked === "string" ? asked : asked.url, ORIGIN).href;

beforeEach(async () => {
  vi.resetModules();
  server = new Map([
    ["/flex/dashboard", PAGE],
    ["/icon.svg", "<svg/>"],
    ...ASSETS.map((path): [string, string] => [path, path]),
  ]);
  files = new FakeCaches();
  handlers = new Map();
  worker = { registration: { active: null }, clients: { matchAll: async () => [] } };
  vi.stubGlobal("BUILD", "build");
  vi.stubGlobal("ASSETS", ASSETS);
  vi.stubGlobal("caches", files);
  vi.stubGlobal("Request", function FakeRequest(path: string) {
    return { url: toUrl(path) };
  });
  vi.stubGlobal("self", {
    ...worker,
    location: { origin: ORIGIN },
    addEventListener: (kind: string, handler: (event: object) => void) => handlers.set(kind, handler),
  });
  vi.stubGlobal("fetch", async (asked: string | { url: string }) => {
    const body = server.get(new URL(toUrl(asked)).pathname);
    if (body === null) throw new TypeError("Failed to fetch");
    if (body === undefined) return new Response("", { status: 404 });
    return new Response(body, { headers: { "content-type": "text/html" } });
  });
  // By a name that the compiler doesn't follow: its types are a worker's.
  const file = "../../../web/service-worker/sw.ts";
  await import(file);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Has the browser raise an event. @returns what the worker makes it wait for */
async function raise(kind: string, event: object = {}): Promise<unknown> {
  let awaited: unknown;
  const wait = (promise: unknown) => (awaited = promise);
  handlers.get(kind)?.({ ...event, waitUntil: wait, respondWith: wait });
  return awaited;
}

const openPage = (path: string) =>
  raise("fetch", {
    request: { method: "GET", mode: "navigate", url: `${ORIGIN}${path}` },
  }) as Promise<Response>;

describe("an update of the service worker", () => {
  const FORMER = "jornada-former";
  const isInstalled = () =>
    raise("install").then(
      () => true,
      () => false,
    );

  it("is not installed without all of its files, and goes on with those that it has", async () => {
    worker.registration.active = {};
    await (await files.open(FORMER)).put(SHELL, new Response(PAGE));
    server.set("/assets/messages-es-1.js", null);
    expect(await isInstalled()).toBe(false);
    expect(files.paths()).toEqual(["/assets/main-1.js", "/flex/dashboard", "/icon.svg"]);
    server.set("/assets/messages-es-1.js", "words");
    server.delete("/assets/main-1.js");
    expect(await isInstalled()).toBe(true);
    expect(files.paths()).toEqual([...ASSETS, "/flex/dashboard", "/icon.svg"]);
  });

  it("is installed without a file that the server lacks", async () => {
    worker.registration.active = {};
    server.delete("/assets/messages-es-1.js");
    expect(await isInstalled()).toBe(true);
  });

  it("is installed as the first one whatever arrives: there is none to keep", async () => {
    server.set("/assets/messages-es-1.js", null);
    expect(await isInstalled()).toBe(true);
  });
});

describe("a page that the network brings", () => {
  const NEWER = '<script src="/assets/main-2.js"></script>';

  it("is cached in place of the one before", async () => {
    await raise("install");
    server.set("/flex/blocks", `${PAGE} newer`);
    expect(await (await openPage("/flex/blocks")).text()).toBe(`${PAGE} newer`);
    server.set("/flex/blocks", null);
    expect(await (await openPage("/flex/blocks")).text()).toBe(`${PAGE} newer`);
  });

  it("is cached without what held for the moment alone", async () => {
    await raise("install");
    const served = (price: string) => `${PAGE}<b><!--now--><i>${price}</i>\n<!--/now--></b> a day`;
    server.set("/", served("$5"));
    expect(await (await openPage("/")).text()).toBe(served("$5"));
    server.set("/", null);
    expect(await (await openPage("/")).text()).toBe(`${PAGE}<b><i data-skeleton></i></b> a day`);
  });

  it("replaces no page whose files are here if its own may never come", async () => {
    await raise("install");
    server.set("/flex/blocks", NEWER);
    expect(await (await openPage("/flex/blocks")).text()).toBe(NEWER);
    server.set("/flex/blocks", null);
    expect(await (await openPage("/flex/blocks")).text()).toBe(PAGE);
  });
});

describe("a tap on a notification", () => {
  /** A window that answers its messages, or nobody listens in. */
  function openWindow({ isListening, path = "/flex/dashboard" }: { isListening: boolean; path?: string }) {
    const page = {
      frameType: "top-level",
      url: `${ORIGIN}${path}`,
      opened: [] as string[],
      focus: vi.fn(async () => undefined),
      navigate: vi.fn(async () => undefined),
      postMessage({ url }: { url: string }, [port]: MessagePort[] = []) {
        if (!isListening) return;
        page.opened.push(url);
        port?.postMessage(null);
      },
    };
    return page;
  }

  const tap = async (windows: object[]) => {
    worker.clients.matchAll = async () => windows;
    const opened = vi.fn();
    Object.assign(worker.clients, { openWindow: opened });
    await raise("notificationclick", {
      action: "",
      notification: { data: { url: "/flex/blocks" }, tag: "", close: () => undefined },
    });
    return opened;
  };

  it("opens its screen in a page that listens", async () => {
    const page = openWindow({ isListening: true });
    await tap([page]);
    expect([page.opened, page.focus.mock.calls.length, page.navigate.mock.calls]).toEqual([
      ["/flex/blocks"],
      1,
      [],
    ]);
  });

  it("loads a page anew where nobody listens yet, as while it starts", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const page = openWindow({ isListening: false });
    const tapped = tap([page]);
    await vi.advanceTimersByTimeAsync(2_000);
    await tapped;
    expect([page.focus.mock.calls.length, page.navigate.mock.calls]).toEqual([1, [["/flex/blocks"]]]);
  });

  it("opens a page of its own beside the operators' console", async () => {
    const console = openWindow({ isListening: false, path: "/ops/fleet" });
    const opened = await tap([console]);
    expect([opened.mock.calls, console.focus.mock.calls, console.navigate.mock.calls]).toEqual([
      [["/flex/blocks"]],
      [],
      [],
    ]);
  });
});

describe("a tap on a button of a question", () => {
  const question = { token: "a-token", take: "Take", pass: "Skip", unsent: "Not sent: open the app" };
  const answers = "/flex/v1/question-link";

  /** @returns the notification that takes the question's place, and what was sent */
  async function answer(action: string, reply: Response | null) {
    const sent: { path: string; init: RequestInit | undefined }[] = [];
    vi.stubGlobal("fetch", async (path: string, init?: RequestInit) => {
      sent.push({ path, init });
      if (!reply) throw new TypeError("Failed to fetch");
      return reply;
    });
    const shown = vi.fn();
    Object.assign(worker.registration, { showNotification: shown });
    const data = { url: "/flex/dashboard", question, body: "3 h for $75" };
    const close = vi.fn();
    await raise("notificationclick", { action, notification: { data, tag: "question-1", close } });
    expect(close).toHaveBeenCalledOnce();
    return { sent, shown: shown.mock.calls.map(([title, { body, tag }]) => ({ title, body, tag })) };
  }

  it.each(["take", "pass"])(
    "sends %s once, and says in the question's place what came of it",
    async (action) => {
      const { sent, shown } = await answer(action, Response.json({ said: "Too late" }));
      expect(sent).toEqual([
        {
          path: answers,
          init: {
            method: "POST",
            headers: { authorization: "Link a-token", "content-type": "application/json" },
            body: JSON.stringify({ answer: action }),
          },
        },
      ]);
      expect(shown).toEqual([{ title: "Too late", body: "3 h for $75", tag: "question-1" }]);
    },
  );

  it.each<[string, () => Response | null]>([
    ["the connection is lost", () => null],
    ["the server refuses it", () => Response.json({ said: "no" }, { status: 410 })],
    ["the answer says nothing", () => Response.json({})],
    ["the answer is no answer of ours", () => new Response("<html>")],
  ])("says that it was not sent where %s", async (_case, reply) => {
    const { shown } = await answer("take", reply());
    expect(shown).toEqual([{ title: question.unsent, body: "3 h for $75", tag: "question-1" }]);
  });
});
