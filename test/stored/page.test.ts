import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { decodeVersioned, unchanged } from "../../db/shapes/versioned.ts";
import { loadSession, parseTokenName } from "../../web/api/session/session.ts";
import { createStored, removeStoredUnder } from "../../web/api/cache/storage.ts";
import { draftStore, restoreDraft, saveDraft } from "../../web/features/filters/draft-store.ts";
import { loadTheme } from "../../web/features/ui-state/theme.ts";
import { isOutdatedCache, notificationUrl, pageCacheKey } from "../../web/service-worker/strategy.ts";
import { setPageSession } from "../support/page-session.ts";
import { createBrowserHarness } from "../support/browser-harness.ts";
import { parseEnvelope, readFixture, readGoldenTexts } from "./golden.ts";
import { STORED_VALUES } from "./stored-values.ts";
import { IDENTITY, SUB } from "../support/scripted-network.ts";

afterEach(() => void vi.unstubAllGlobals());

const storedItem = z.looseObject({ key: z.string(), value: z.string() });
const golden = (name: string) => storedItem.parse(readFixture(`page/${name}.json`));
const texts = readGoldenTexts();

beforeEach(() => void createBrowserHarness());

describe("the page's stored values", () => {
  it.each([...STORED_VALUES].filter(([name]) => name.startsWith("page/")))(
    "%s can be read as every version left it, by version and text",
    (name, versioned) => {
      const own = texts.filter((text) => text.name === name);
      expect(own.map(({ text }) => parseEnvelope(text).version)).toEqual(own.map(({ version }) => version));
      for (const { text } of own) expect(() => decodeVersioned(versioned, text)).not.toThrow();
    },
  );

  it("is tested completely, except plain text and what libraries and the service worker store", () => {
    const others = texts.map(({ name }) => name).filter((name) => !STORED_VALUES.has(name));
    expect(
      new Set(others.map((name) => name.replace(/CognitoIdentityServiceProvider.*/, "session"))),
    ).toEqual(
      new Set([
        "page/session",
        "page/PARAGLIDE_LOCALE",
        "page/jornada.reloaded-for",
        "page/theme",
        "page/tsr-scroll-restoration-v1_3",
      ]),
    );
  });

  it("opens with the session that the identity library stored", () => {
    for (const name of [
      "LastAuthUser",
      "USERNAME.idToken",
      "USERNAME.accessToken",
      "USERNAME.refreshToken",
    ]) {
      const { key, value } = golden(`v0-3e9e27b-CognitoIdentityServiceProvider.CLIENT_ID.${name}`);
      localStorage.setItem(key, value);
    }
    const session = loadSession(IDENTITY.clientId);
    expect(session).toMatchObject({
      username: SUB,
      phoneNumber: "+15550100144",
      idTokenExp: 1_795_536_000_000,
    });
    expect(session && parseTokenName(session)).toBe("Ana");
  });

  it.each(["light", "dark", "system"])("keeps the theme %s as plain text", (theme) => {
    localStorage.setItem("theme", theme);
    expect(loadTheme()).toBe(theme);
  });
});

describe("a stored value", () => {
  const stored = createStored({ key: "jornada.push", shape: z.object({ a: z.int() }), upcasts: [unchanged] });

  it("round-trips with its version", () => {
    expect(stored.save({ a: 1 })).toBe(true);
    expect(localStorage.getItem("jornada.push")).toBe('{"v":1,"value":{"a":1}}');
    expect(stored.load()).toEqual({ a: 1 });
  });

  it.each(["{", "7", "null", '{"v":1,"value":{"a":"x"}}', '{"v":0,"value":{"a":1}}', '{"v":2,"value":{}}'])(
    "counts as none where it is %s",
    (text) => {
      localStorage.setItem("jornada.push", text);
      expect(stored.load()).toBeNull();
    },
  );

  it("is parsed with the current shape if a later build wrote it", () => {
    localStorage.setItem("jornada.push", '{"v":9,"value":{"a":1,"b":2}}');
    expect(stored.load()).toEqual({ a: 1 });
  });

  it("is removed without any other value", () => {
    localStorage.setItem("jornada.push-offer", '"dismissed"');
    stored.save({ a: 1 });
    stored.remove();
    expect(Object.keys(localStorage)).toEqual(["jornada.push-offer"]);
  });

  it("is removed by its driver's prefix, without those of other drivers", () => {
    localStorage.setItem("jornada.last.ana.user", "1");
    localStorage.setItem("jornada.lasting", "1");
    removeStoredUnder("jornada.last.");
    expect(Object.keys(localStorage)).toEqual(["jornada.lasting"]);
  });

  it("is optional if storage is unavailable", () => {
    vi.stubGlobal("localStorage", undefined);
    expect([stored.save({ a: 1 }), stored.load()]).toEqual([false, null]);
    stored.remove();
  });
});

describe("a draft of the filters", () => {
  const draftOf = (text: string) =>
    z.looseObject({ draft: z.unknown() }).parse(parseEnvelope(text).value).draft;

  it.each(["v0-f5a16e6-filters-draft", "v0-3e9e27b-filters-draft", "v1-filters-draft", "v3-filters-draft"])(
    "is taken up as %s left it",
    (name) => {
      const { key, value } = golden(name);
      localStorage.setItem(key, value);
      setPageSession(null);
      setPageSession(SUB);
      restoreDraft();
      expect(draftStore.get()).toMatchObject({ version: 3, draft: draftOf(value) });
      saveDraft(null);
    },
  );

  it("keeps limits that were bare figures", () => {
    const { key, value } = golden("v3-filters-draft");
    const { draft, ...rest } = z.looseObject({ draft: z.looseObject({}) }).parse(parseEnvelope(value).value);
    const bare = { blocksPerDay: 3, minutesPerDay: null };
    localStorage.setItem(
      key,
      JSON.stringify({ v: 2, value: { ...rest, draft: { ...draft, limits: bare } } }),
    );
    setPageSession(null);
    setPageSession(SUB);
    restoreDraft();
    expect(draftStore.get()?.draft.limits).toMatchObject({
      blocksPerDay: { isOn: true, figure: 3 },
      minutesPerDay: { isOn: false, figure: null },
    });
    saveDraft(null);
  });

  it.each([undefined, null, { minHourlyCents: "much" }])(
    "is kept although what it started from is %o",
    (base) => {
      const { key, value } = golden("v0-3e9e27b-filters-draft");
      const { base: _, ...rest } = z.looseObject({}).parse(parseEnvelope(value).value);
      localStorage.setItem(key, JSON.stringify({ ...rest, base }));
      setPageSession(null);
      setPageSession(SUB);
      restoreDraft();
      expect(draftStore.get()).toMatchObject({ version: 3, base: null, draft: rest["draft"] });
      saveDraft(null);
      expect(localStorage.getItem(key)).toBeNull();
    },
  );
});

describe("the service worker", () => {
  const { name, dropped } = z
    .object({ name: z.string(), dropped: z.string() })
    .parse(readFixture("page/v0-3e9e27b-jornada-BUILD.json"));

  it("deletes its own caches of other builds, and no others", () => {
    const names = ["jornada-000000000000", "somebody-elses", name];
    for (const known of names) expect(`${dropped} ${name}`).toContain(known);
    expect(names.filter((known) => isOutdatedCache(known, "jornada-ffffffffffff"))).toEqual([
      "jornada-000000000000",
      name,
    ]);
    expect(isOutdatedCache(name, name)).toBe(false);
  });

  it("finds every page that an earlier build cached", () => {
    const pages = ["/flex/dashboard", "/", "/login"];
    expect(pages.map((path) => pageCacheKey(`https://jornada.test${path}`))).toEqual(pages);
  });

  it.each([
    [{ url: "/flex/blocks" }, "/flex/blocks"],
    [{ url: "//elsewhere.test" }, "/flex/dashboard"],
    [{}, "/flex/dashboard"],
    [null, "/flex/dashboard"],
    ["text", "/flex/dashboard"],
  ])("opens a notification with %o", (data, url) => {
    expect(notificationUrl(data)).toBe(url);
  });
});
