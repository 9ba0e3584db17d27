import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { formatMessage } from "../../../locales/format-message.ts";
import { closeForMaintenance } from "../../../worker/http/gate/maintenance.ts";
import { DEMO_SETTINGS } from "../../support/settings.ts";
import { appWith } from "../app-with.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const END = "2026-11-21T13:30:00.001Z";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: NOW }));
afterEach(() => vi.useRealTimers());

type Asking = { language?: string; timeZone?: string; productName?: string };

/** An address's response while the deployment is closed. There is no database. */
async function ask(
  maintenance: string | null,
  path: string,
  { language, timeZone, productName = "Turno" }: Asking = {},
): Promise<{ status: number; retryAfter: string | null; text: string }> {
  const setting = maintenance === null ? {} : { MAINTENANCE: maintenance };
  const env = { ...DEMO_SETTINGS, ...setting, PRODUCT_NAME: productName, DB: {}, DRIVER: {} };
  const app = appWith({ requestId: "r1" })
    .use(closeForMaintenance)
    .all("*", (c) => c.text("open"));
  const headers = new Headers(language ? { accept: "text/html", "accept-language": language } : {});
  const request = new Request(`https://turno.example${path}`, { headers });
  if (timeZone) Object.defineProperty(request, "cf", { value: { timezone: timeZone } });
  const response = await app.request(request, undefined, env);
  return {
    status: response.status,
    retryAfter: response.headers.get("retry-after"),
    text: await response.text(),
  };
}

const OPEN = { status: 200, retryAfter: null, text: "open" };

describe("a deployment that is closed for maintenance", () => {
  it("refuses calls until the instant that is named", async () => {
    const { text, ...answer } = await ask(END, "/flex/v1/user");
    expect(answer).toEqual({ status: 503, retryAfter: "5401" });
    expect(JSON.parse(text)).toMatchObject({ code: "maintenance", retryAfter: 5401 });
    vi.setSystemTime(Date.parse(END) - 1);
    expect(await ask(END, "/flex/v1/user")).toMatchObject({ status: 503, retryAfter: "1" });
    vi.setSystemTime(Date.parse(END));
    expect(await ask(END, "/flex/v1/user")).toEqual(OPEN);
  });

  it("asks to come back in five minutes where nobody knows the end, and names no instant", async () => {
    const { text, ...answer } = await ask("on", "/status/health");
    expect(answer).toEqual({ status: 503, retryAfter: "300" });
    expect(JSON.parse(text)).not.toHaveProperty("retryAfter");
  });

  it("is open where nothing is set", async () => {
    expect(await ask(null, "/flex/v1/user")).toEqual(OPEN);
  });

  it.each([
    ["/ops", 200],
    ["/ops/v1/me", 200],
    ["/webhooks/stripe", 200],
    ["/opsx", 503],
    ["/flex/ops/me", 503],
    ["/webhook", 503],
    ["/", 503],
  ])("leaves operators and webhooks to themselves: %s", async (path, status) => {
    expect((await ask("on", path)).status).toBe(status);
  });

  it("says so to who opens a page, in their language, and comes back by itself", async () => {
    const { status, text } = await ask("on", "/", { language: "pt", productName: "A & B" });
    expect(status).toBe(503);
    expect(text).toContain(`content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="60">
<title>${formatMessage("pt", "maintenance_title")}</title>`);
    expect(text).toContain(
      `</h1>\n<p>${formatMessage("pt", "maintenance_text", { product: "A &amp; B" })}</p>\n<p><a `,
    );
    expect(text).not.toContain("<small>");
  });

  it("says until when, by the visitor's clock", async () => {
    const until = async (timeZone?: string) =>
      /lasts until (.+) at the latest/.exec(
        (await ask(END, "/", { language: "en", ...(timeZone && { timeZone }) })).text,
      )?.[1];
    expect([await until(), await until("America/New_York")]).toEqual([
      expect.stringMatching(/^1:30\sPM/),
      expect.stringMatching(/^8:30\sAM/),
    ]);
  });
});
