import { describe, expect, it } from "vitest";
import {
  findPage,
  isHashed,
  pageCacheKey,
  parsePushMessage,
  strategyFor,
} from "../../../web/service-worker/strategy.ts";

const ORIGIN = "https://jornada.example";
const get = (path: string, mode = "cors") =>
  strategyFor({ method: "GET", mode, url: `${ORIGIN}${path}` }, ORIGIN);

describe("the service worker", () => {
  it.each([
    "/flex/v1/user",
    "/flex/v1/live/ticket",
    "/status/config",
    "/status/health",
    "/identity/",
    "/identity",
    "/sandbox/world",
    "/webhooks/stripe",
    "/selfie",
    "/manifest.webmanifest",
    "/icons/icon-192.png",
    "/sw.js",
  ])("leaves %s to the server", (path) => {
    expect(get(path)).toBe("bypass");
  });

  it.each(["/sandbox/sign-in?sub=x", "/selfie?secret=x", "/flex/v1/user/export", "/ops", "/ops/fleet"])(
    "leaves a navigation to %s to the server",
    (path) => {
      expect(get(path, "navigate")).toBe("bypass");
    },
  );

  it("leaves what is not read, and what is not ours", () => {
    expect(strategyFor({ method: "POST", mode: "cors", url: `${ORIGIN}/assets/a.js` }, ORIGIN)).toBe(
      "bypass",
    );
    expect(
      strategyFor({ method: "GET", mode: "cors", url: "https://js.stripe.com/assets/a.js" }, ORIGIN),
    ).toBe("bypass");
  });

  it("answers pages and files", () => {
    expect([get("/flex/dashboard", "navigate"), get("/", "navigate"), get("/flexible", "navigate")]).toEqual([
      "page",
      "page",
      "page",
    ]);
    expect([get("/assets/index-a1b2.js"), get("/icon.svg")]).toEqual(["asset", "asset"]);
    expect([isHashed(`${ORIGIN}/assets/index-a1b2.js`), isHashed(`${ORIGIN}/icon.svg`)]).toEqual([
      true,
      false,
    ]);
  });

  it("keeps one page for every screen of a driver, and none by what follows its path", () => {
    const keys = ["/flex", "/flex/blocks?type=lost", "/login?back=%2Fflex", "/", "/arrived?token=secret"];
    expect(keys.map((path) => pageCacheKey(`${ORIGIN}${path}`))).toEqual([
      "/flex/dashboard",
      "/flex/dashboard",
      "/login",
      "/",
      null,
    ]);
  });
});

describe("a push message", () => {
  const message = { title: "Block captured!", body: "$98", tag: "captured:1", event: "captured" };

  it("opens the screen that it names", () => {
    expect(parsePushMessage({ ...message, url: "/flex/blocks" })).toEqual({
      title: "Block captured!",
      body: "$98",
      tag: "captured:1",
      url: "/flex/blocks",
    });
  });

  it("brings two answers where it asks, and none where one of their parts is missing", () => {
    const question = { token: "t", take: "Take", pass: "Pass", unsent: "Not sent" };
    expect(parsePushMessage({ ...message, question: { ...question, closesAt: 1 } })).toMatchObject({
      question,
    });
    expect(parsePushMessage({ ...message, question: { ...question, token: undefined } })).not.toHaveProperty(
      "question",
    );
  });

  it.each([
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example",
    "javascript:alert(1)",
    7,
    undefined,
  ])("opens the dashboard instead of %s", (url) => {
    expect(parsePushMessage({ ...message, url })?.url).toBe("/flex/dashboard");
  });

  it.each([null, undefined, "text", {}, { ...message, title: 1 }])("is none of ours: %o", (data) => {
    expect(parsePushMessage(data)).toBeNull();
  });
});

describe("a notification that is tapped", () => {
  const [frame, older, newer, console] = [
    { frameType: "nested", url: `${ORIGIN}/arrived`, id: "check-in" },
    { frameType: "top-level", url: `${ORIGIN}/flex/dashboard`, id: "older" },
    { frameType: "auxiliary", url: `${ORIGIN}/faqs`, id: "newer" },
    { frameType: "top-level", url: `${ORIGIN}/ops/fleet`, id: "console" },
  ] as const;

  it.each([
    [[frame, newer, older], "newer"],
    [[older, frame], "older"],
    [[frame], undefined],
    [[console, older], "older"],
    [[console], undefined],
    [[], undefined],
  ])(
    "opens in the page used last, and in no frame within it nor in the operators' console",
    (windows, id) => {
      expect(findPage<(typeof windows)[number]>(windows)?.id).toBe(id);
    },
  );
});
