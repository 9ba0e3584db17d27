import { createExecutionContext, env, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parseConfig } from "../../durable/runtime/config.ts";
import { Driver } from "../../durable/driver/driver.ts";
import { PART_OF, SETTING_PARTS, type SettingPart } from "../../durable/runtime/setting-groups.ts";
import { SETTING_WORDS } from "../../durable/runtime/setting-words.ts";
import { app } from "../../worker/app.ts";
import { watchService } from "../../worker/cron/watch-service.ts";
import { isolateOf } from "../../worker/http/isolate.ts";
import { health } from "../../worker/contract/status.ts";
import { apiTarget, createDriver, deployment, driverObject, resetPlatform } from "./harness.ts";

let lines: Record<string, unknown>[] = [];

beforeEach(async () => {
  await resetPlatform();
  lines = [];
  for (const level of ["info", "warn", "error"] as const)
    vi.spyOn(console, level).mockImplementation((text: unknown) => lines.push(JSON.parse(String(text))));
});
afterEach(() => vi.restoreAllMocks());

/** One malformed setting of each part but the one that everything needs. */
const MALFORMED = {
  capture: { PLATFORM_URL: "nowhere" },
  sign_in: { COGNITO_POOL_ID: "pool" },
  registering: { TURNSTILE_URL: "turnstile/here" },
  texts: { TWILIO_FROM: "Jornada" },
  cards: { PAYMENT_METHODS: "crad" },
  notifications: { VAPID_SUBJECT: "somebody" },
  console: { OPS_OWNERS: "owner" },
  alerts: { ALERT_URL: "not/an/address" },
  maintenance: { MAINTENANCE: "tomorow" },
  chat: { CHATWOOT_URL: "chat/here" },
  recording: { RECORDING_SCRIPT_URL: "recorder/here" },
  raffles: { DRAND_PUBLIC_KEY: "83cf" },
  contacts: { SUPPORT_PHONE: "call us" },
} as const satisfies Record<Exclude<SettingPart, "core">, Record<string, string>>;
const CASES = Object.entries(MALFORMED) as [keyof typeof MALFORMED, Record<string, string>][];

const WHOLE = {
  TURNSTILE_SITE_KEY: "1x0",
  TURNSTILE_SECRET_KEY: "2x0",
  ALERT_URL: "https://alerts.example",
  ALERT_KEY: "key",
  CHATWOOT_URL: "https://chat.example",
  CHATWOOT_TOKEN: "website",
  CHATWOOT_HMAC_KEY: "signing",
  RECORDING_SCRIPT_URL: "https://recorder.example/tag",
  OPS_URL: "https://ops.example",
  SUPPORT_PHONE: "+15550100198",
};

/** The parts that work under some settings, each seen by what uses it. */
function working(change: Record<string, string>) {
  const config = parseConfig({ ...env, ...WHOLE, ...change });
  const canRead = (read: () => unknown) => {
    try {
      return Boolean(read());
    } catch {
      return false;
    }
  };
  const works: Record<Exclude<SettingPart, "core">, boolean> = {
    capture: canRead(() => config.platform.url && config.engine.pollFloorMs),
    sign_in: config.identity.kind !== "none",
    registering: config.texts.limits.toNewNumbers.perDay > 0,
    texts: config.sms !== null,
    cards: config.cards !== null,
    notifications: config.vapid !== null,
    console: config.operators !== null,
    alerts: config.alerts !== null,
    maintenance: config.maintenance === null,
    chat: config.chat?.isShown === true,
    recording: config.recording !== null,
    raffles: canRead(() => config.beacon.url),
    contacts: config.support.phone !== null,
  };
  return Object.entries(works).flatMap(([part, isWorking]) => (isWorking ? [part] : []));
}

describe("a console at drivers' address", () => {
  it("turns off chat and recording, whose scripts would share its origin, and says so", () => {
    const shared = parseConfig({ ...env, ...WHOLE, OPS_URL: "" });
    expect([shared.chat?.isShown, shared.recording]).toEqual([false, null]);
    expect(shared.problems.map(({ name, part }) => [name, part])).toEqual([
      ["OPS_URL", "chat"],
      ["OPS_URL", "recording"],
    ]);
    expect(shared.problems[0]?.problem).toContain("OPS_URL is missing, so the support chat is off");
  });

  it("does so in no deployment that has a host for it, or none", () => {
    for (const change of [
      {},
      { OPS_URL: "", ACCESS_TEAM_DOMAIN: "", ACCESS_AUD: "", OPS_OWNERS: "", OPS_SUPPORT: "" },
    ]) {
      const { chat, recording, problems } = parseConfig({ ...env, ...WHOLE, ...change });
      expect([chat?.isShown, recording !== null, problems]).toEqual([true, true, []]);
    }
  });
});

describe("a malformed setting", () => {
  it("has a part, and what stops with it is said of each", () => {
    expect(Object.keys(PART_OF).sort()).toEqual(Object.keys(SETTING_WORDS).sort());
    expect([...new Set(Object.values(PART_OF))].sort()).toEqual(Object.keys(SETTING_PARTS).sort());
  });

  it.each(CASES)("of %s stops that alone", (part, change) => {
    expect(working({})).toEqual(Object.keys(MALFORMED));
    expect(working(change)).toEqual(Object.keys(MALFORMED).filter((one) => one !== part));
  });

  it.each(CASES)(
    "of %s is named in the log, in health and by an alert, without its value",
    async (part, change) => {
      const [name = "", value = ""] = Object.entries(change)[0] ?? [];
      const settings = { ...env, ...change };
      const response = await app.fetch(
        new Request(`${apiTarget.origin}/status/health`),
        settings,
        createExecutionContext(),
      );
      expect(lines).toContainEqual(
        expect.objectContaining({
          event: "config.invalid",
          part,
          problem: expect.stringContaining(`${name} is`),
        }),
      );
      if (part === "maintenance") expect(response.status).toBe(503);
      else expect(health.parse(await response.json()).reasons).toHaveProperty([`settings.${part}`]);
      await watchService(isolateOf(settings).deps);
      expect(lines).toContainEqual(
        expect.objectContaining({
          event: "service.alert.raised",
          alert: `settings.${part}`,
          reason: expect.any(String),
        }),
      );
      expect(JSON.stringify(lines)).not.toContain(`"${value}"`);
      await watchService(isolateOf(env).deps);
      expect(lines).toContainEqual(
        expect.objectContaining({ event: "service.alert.ended", alert: `settings.${part}` }),
      );
    },
  );

  it.each(CASES.filter(([part]) => part !== "capture"))(
    "of %s leaves captures to go on",
    async (_part, change) => {
      const driver = await createDriver();
      const phase = await runInDurableObject(driverObject(driver), async (_object, state) => {
        const object = new Driver(state, { ...env, ...change });
        await object.alarm();
        return object.snapshot().phase.kind;
      });
      expect(phase).not.toBe("other");
      expect(lines.filter(({ level }) => level === "error")).toEqual([]);
    },
  );

  it("of capture leaves the page to its driver", async () => {
    const { token } = await createDriver();
    const target = deployment({ PLATFORM_URL: "nowhere" });
    const headers = { authorization: `Bearer ${token}` };
    const statusOf = async (path: string) =>
      (await target.fetch(`${target.origin}${path}`, { headers })).status;
    expect([
      await statusOf("/status/config"),
      await statusOf("/flex/v1/user"),
      await statusOf("/flex/v1/plans"),
    ]).toEqual([200, 200, 200]);
  });

  it("of sign-in is an outage to drivers, not a reason to sign them out", async () => {
    const { token } = await createDriver();
    const target = deployment({ COGNITO_POOL_ID: "pool" });
    const headers = { authorization: `Bearer ${token}` };
    expect((await target.fetch(`${target.origin}/flex/v1/user`, { headers })).status).toBe(500);
    expect((await target.fetch(`${target.origin}/status/config`)).status).toBe(200);
  });
});
