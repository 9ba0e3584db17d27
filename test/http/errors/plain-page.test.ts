import { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { formatMessage } from "../../../locales/format-message.ts";
import { ApiError } from "../../../worker/http/errors/api-error.ts";
import { appWith } from "../app-with.ts";
import { requestLanguage } from "../../../worker/http/pages/request-language.ts";

beforeEach(() => void vi.spyOn(console, "error").mockReturnValue());
afterEach(() => vi.restoreAllMocks());

const BROWSER = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

/** What somebody gets who opens an address that fails. */
async function open(
  error: Error,
  { path = "/", method = "GET", headers = BROWSER, requestId = "r1" }: Opening = {},
): Promise<{ status: number; headers: Record<string, string>; text: string }> {
  const app = appWith(requestId === null ? {} : { requestId }).all("*", () => {
    throw error;
  });
  const response = await app.request(path, { method, headers });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text: await response.text(),
  };
}
type Opening = {
  path?: string;
  method?: string;
  headers?: Record<string, string>;
  requestId?: string | null;
};

/** The language that a caller without a record reads. */
async function languageOf(headers: Record<string, string>): Promise<string> {
  const app = new Hono().get("/", (c) => c.text(requestLanguage(c)));
  return (await app.request("/", { headers })).text();
}

const down = () => new ApiError("internal");

describe("a page in place of one that can't be served", () => {
  it("says so, what to do and the reference, and needs nothing else of ours", async () => {
    const { status, headers, text } = await open(down());
    expect(status).toBe(500);
    expect(headers).toEqual({
      "content-type": "text/html; charset=UTF-8",
      "content-security-policy":
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
      vary: "accept-language, cookie",
    });
    expect(text).toContain(`<html lang="en">`);
    for (const key of ["plain_title", "plain_text", "plain_again"] as const)
      expect(text).toContain(`>${formatMessage("en", key)}<`);
    expect(text).toContain(`<title>${formatMessage("en", "plain_title")}</title>`);
    expect(text).toContain(`<p><small>${formatMessage("en", "plain_reference", { id: "r1" })}</small></p>`);
    expect(text).not.toMatch(/<script|src=|https?:/);
    // Nothing between the two: it doesn't reload by itself.
    expect(text).toContain(`initial-scale=1">\n<title>`);
  });

  it("has no reference where there is none", async () => {
    const { text } = await open(down(), { requestId: null });
    expect(text).not.toContain("<small>");
    expect(text).toContain("</p>\n\n</main>");
  });

  it("is in the language that was chosen on the page", async () => {
    const headers = { ...BROWSER, "accept-language": "pt-BR", cookie: "PARAGLIDE_LOCALE=es" };
    const { text } = await open(down(), { headers });
    expect(text).toContain(`<html lang="es">`);
    expect(text).toContain(formatMessage("es", "plain_text"));
  });

  it.each(["/es", "/es/", "/es/faqs"])("is in the language that its address names: %s", async (path) => {
    const headers = { ...BROWSER, "accept-language": "en-US", cookie: "PARAGLIDE_LOCALE=pt" };
    expect((await open(down(), { path, headers })).text).toContain(`<html lang="es">`);
  });

  it("is in the browser's language", async () => {
    const { text } = await open(down(), { headers: { ...BROWSER, "accept-language": "fr, pt-BR;q=0.8" } });
    expect(text).toContain(`<html lang="pt">`);
    expect(text).toContain(formatMessage("pt", "plain_text"));
  });

  it.each([
    ["payments_unreachable", 503],
    ["platform_unreachable", 503],
  ] as const)("is there for %s too", async (code, status) => {
    const page = await open(new ApiError(code));
    expect([page.status, page.text.slice(0, 15)]).toEqual([status, "<!doctype html>"]);
  });

  it.each<[string, ApiError, Opening]>([
    ["a refusal", new ApiError("not_found"), {}],
    ["a program", down(), { headers: { accept: "application/json" } }],
    ["who names nothing", down(), { headers: {} }],
    ["a call that changes something", down(), { method: "POST" }],
  ])("is not for %s", async (_name, error, opening) => {
    const { text } = await open(error, opening);
    expect(JSON.parse(text)).toMatchObject({ code: error.code });
  });
});

describe("the language that somebody reads whom nobody knows", () => {
  it.each([
    ["pt-BR,pt;q=0.9,en;q=0.8", "pt"],
    ["en;q=0.1, es;q=0.9", "es"],
    ["fr, de;q=0.9, ES-419;q=0.5, en;q=0.4", "es"],
    ["fr;q=1, pt; q=0.3 , es;q=0.2", "pt"],
    ["es;q=0, pt;q=0.1", "pt"],
    ["es;level=1;q=0.2, pt;q=0.3", "pt"],
    ["es;q=x, pt;q=0.9", "es"],
    ["*", "en"],
    ["", "en"],
    [undefined, "en"],
  ])("is by %s the one that is wanted most of ours", async (header, language) => {
    expect(await languageOf(header === undefined ? {} : { "accept-language": header })).toBe(language);
  });

  it.each([
    ["PARAGLIDE_LOCALE=es", "pt", "es"],
    ["PARAGLIDE_LOCALE=fr", "pt", "pt"],
    ["OTHER=es", "pt", "pt"],
    ["", "pt", "pt"],
  ])(
    "is with the cookie '%s' what was chosen on the page, else the browser's",
    async (cookie, accepted, language) => {
      expect(await languageOf({ cookie, "accept-language": accepted })).toBe(language);
    },
  );
});
