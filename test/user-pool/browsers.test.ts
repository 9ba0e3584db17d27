import { beforeEach, describe, expect, it } from "vitest";
import { createKeys } from "../../durable/runtime/keys.ts";
import {
  browserCookie,
  nameAt,
  readBrowser,
  rememberBrowser,
} from "../../worker/identity/accounts/known-browsers.ts";
import { unknownBrowser } from "../../worker/identity/calling-browser.ts";
import { createPoolContext } from "../../worker/identity/pool-context.ts";
import { KEYS, NOW, openPool, OTHER, OWNER, type Pool } from "./pool-harness.ts";

const DAY_MS = 86_400_000;

let at: Pool;
beforeEach(() => {
  at = openPool();
});

describe("a browser that signed in", () => {
  const request = (cookie: string | null) =>
    new Request("https://jornada.test/", {
      headers: new Headers(cookie === null ? [] : [["cookie", cookie]]),
    });
  const read = (cookie: string | null, pool = at.context) => readBrowser(pool, request(cookie));
  /** The cookie after signing in to accounts one after the other. */
  const cookieOf = async (...accounts: string[]) => {
    const pool = { ...at.context, browser: unknownBrowser() };
    for (const account of accounts) rememberBrowser(pool, account);
    return String(await browserCookie(pool));
  };
  const pairOf = (cookie: string) => cookie.split(";")[0] ?? "";

  it("is known by a cookie for half a year, which the page can't read", async () => {
    const cookie = await cookieOf(OWNER, OTHER, OWNER);
    expect(cookie).toMatch(
      /^__Secure-known-browser=[^;]+; Path=\/identity; Max-Age=15552000; Secure; HttpOnly; SameSite=Strict$/,
    );
    const known = await read(`a=1; ${pairOf(cookie)};b=2`);
    expect(known).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      accounts: [OWNER, OTHER],
      isRenewed: false,
    });
    expect(nameAt({ browser: known }, OTHER)).toBe(known.id);
    expect(nameAt({ browser: known }, "another")).toBeNull();
    at.clock.now = NOW + 180 * DAY_MS;
    expect((await read(pairOf(cookie))).id).toBe(known.id);
    at.clock.now += 1;
    expect(await read(pairOf(cookie))).toEqual(unknownBrowser());
    at.clock.now = NOW - 180 * DAY_MS - 1;
    expect(await read(pairOf(cookie))).toEqual(unknownBrowser());
  });

  it("keeps its name with each further account, and forgets the first of six", async () => {
    const first = await read(pairOf(await cookieOf(OWNER)));
    const pool = { ...at.context, browser: first };
    for (const account of ["2", "3", "4", "5", "6"]) rememberBrowser(pool, account);
    const later = await read(pairOf(String(await browserCookie(pool))));
    expect(later).toEqual({ id: first.id, accounts: ["6", "5", "4", "3", "2"], isRenewed: false });
  });

  it("is nobody by another, a forged or an empty cookie", async () => {
    const cookie = pairOf(await cookieOf(OWNER));
    const others = createPoolContext({ ...at.deps, keys: createKeys(KEYS.replace("AAEC", "BBEC")) });
    const refresh = await at.context.keys.seal("refresh", { plain: "{}", context: "refresh token" });
    const named = (sealed: string) => `__Secure-known-browser=${sealed}`;
    const other = await at.context.keys.seal("refresh", { plain: `{"v":2}`, context: "known browser" });
    for (const given of [
      null,
      "",
      `x${cookie}`,
      `${cookie}x`,
      named(""),
      named("forged"),
      named(refresh),
      named(other),
    ])
      expect([given, await read(given)]).toEqual([given, unknownBrowser()]);
    expect(await read(cookie, others)).toEqual(unknownBrowser());
  });

  it("gets no cookie where nothing is new", async () => {
    expect(await browserCookie(at.context)).toBeNull();
    const browser = { id: "id", accounts: [OWNER], isRenewed: false };
    expect(await browserCookie({ ...at.context, browser })).toBeNull();
  });
});
