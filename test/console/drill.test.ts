import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { openDb } from "../../db/client.ts";
import { createDriver } from "../../db/queries/accounts/drivers.ts";
import { noteStepSuccess } from "../../db/queries/fleet/cron-steps.ts";
import { saveHeartbeat } from "../../db/queries/fleet/heartbeats.ts";
import { DEFAULT_NOTIFICATION_PREFERENCES } from "../../db/shapes/notifications.ts";
import { DAY_MS, driverId, MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";
import type { Phase } from "../../db/shapes/work/phase.ts";
import { FleetReporter } from "../../durable/driver/fleet-reporter.ts";
import { retryWaitMs } from "../../durable/engine/cadence.ts";
import { initialState } from "../../durable/engine/initial-state.ts";
import type { DriverState, MachineEvent } from "../../durable/engine/types.ts";
import { loadFleetProblems } from "../../worker/console/fleet-problems.ts";
import { watchService } from "../../worker/cron/watch-service.ts";
import { tellOperators } from "../../worker/cron/tell-operators.ts";
import { createHealth } from "../../worker/http/health.ts";
import { makeProfile, NOON, SETTINGS } from "../engine/fixtures.ts";
import { UNCHANGED } from "../engine/steps.ts";
import { migratedDatabase } from "../support/migrated-database.ts";
import { bindD1 } from "../support/node-d1.ts";

const SECOND_MS = 1_000;
const POLL_MS = 10 * SECOND_MS;

const alertBody = z.object({ event: z.string(), name: z.string() });

type Answer = "offers" | "error" | "limit";

const stateIn = (phase: Phase): DriverState => ({
  ...initialState("drill"),
  profile: makeProfile(),
  link: { status: "linked" },
  phase,
});

/** A fleet in virtual time, with the minute's watch over it. */
async function open(drivers: number) {
  const clock = { now: NOON };
  const db = openDb(bindD1(migratedDatabase()));
  const deps = { db, now: () => clock.now, log: () => {} };
  const platform: { answer: (driver: number, now: EpochMs) => Answer } = { answer: () => "offers" };
  const gone = new Set<number>();
  const sms = { url: "", accountSid: "", authToken: "", from: "", sender: "number" } as const;
  const health = createHealth({ ...deps, config: { sms, masterKeyIds: [] } });
  const fleet = Array.from({ length: drivers }, (_, index) => ({
    index,
    owner: {
      driverId: driverId.parse(`driver-${index}`),
      phoneNumber: "+15550100100",
      language: "en" as const,
      timeZone: "America/New_York",
      notifications: DEFAULT_NOTIFICATION_PREFERENCES,
    },
    reporter: new FleetReporter({
      ...deps,
      settings: SETTINGS,
      stored: { fleetCounts: () => null, write: () => {} },
    }),
    failures: 0,
    heartbeatAt: 0,
    // Not all at once.
    wakesAt: NOON + (index % 10) * SECOND_MS,
  }));
  for (const { index, owner } of fleet) {
    const record = {
      id: owner.driverId,
      phoneNumber: `+1555010${1000 + index}`,
      name: "Ana",
      language: owner.language,
      referral: "jornada",
      humanTimezone: owner.timeZone,
      createdAt: NOON,
    } as const;
    await createDriver(db, record, "invitation");
  }
  type Simulated = (typeof fleet)[number];

  async function wake(driver: Simulated): Promise<void> {
    const { now } = clock;
    const answer = platform.answer(driver.index, now);
    driver.failures = answer === "offers" ? 0 : driver.failures + 1;
    const waitMs = answer === "offers" ? POLL_MS : retryWaitMs(driver.failures);
    driver.wakesAt = now + waitMs;
    const retryAt = driver.wakesAt;
    const [event, phase] = {
      offers: [UNCHANGED, { kind: "polling" }],
      error: [
        { kind: "polled", sentAt: now, outcome: { kind: "unreachable" } },
        { kind: "unreachable", retryAt },
      ],
      limit: [
        { kind: "rate_limited", sentAt: now, waitMs },
        { kind: "throttled", until: retryAt },
      ],
    }[answer] as [MachineEvent, Phase];
    const state = stateIn(phase);
    driver.reporter.note({ before: state, event, state, effects: [] }, now);
    await driver.reporter.report(driver.owner, state, now);
    if (now - driver.heartbeatAt < MINUTE_MS) return;
    driver.heartbeatAt = now;
    const dueAt = Math.max(driver.wakesAt, now + MINUTE_MS) + 2 * MINUTE_MS;
    await saveHeartbeat(db, driver.owner.driverId, { objectName: "o", dueAt });
  }

  const told: string[] = [];
  const send = async (request: Request) => {
    const { event, name } = z.parse(alertBody, await request.json());
    told.push(`${name} ${event}`);
    return new Response(null);
  };
  const alerts = { url: "https://alerts.test/", form: "webhook", key: "key" } as const;
  const teller = {
    ...deps,
    send,
    config: { alerts, productName: "Jornada", publicUrl: "https://jornada.test" },
  };

  const seen: { at: EpochMs; reasons: Record<string, string> }[] = [];
  return {
    clock,
    platform,
    gone,
    seen,
    told,
    db,
    problems: async () => (await loadFleetProblems(db, clock.now)).problems,
    /** Lives through so much time, with the minute's cron in it. */
    async live(ms: number): Promise<void> {
      const end = clock.now + ms;
      for (; clock.now < end; clock.now += SECOND_MS) {
        for (const driver of fleet) {
          if (!gone.has(driver.index) && driver.wakesAt <= clock.now) await wake(driver);
        }
        if (clock.now % MINUTE_MS !== 0) continue;
        await watchService(deps);
        // Two runs at once, as where one is late.
        await Promise.all([tellOperators(teller), tellOperators(teller)]);
        seen.push({ at: clock.now, reasons: (await health()).reasons });
      }
    },
    /** How long after an instant health first named a reason, and when it last did. */
    named(reason: string, from: EpochMs) {
      const at = seen.filter(({ reasons }) => reason in reasons).map((one) => one.at - from);
      return { first: at[0], last: at.at(-1) };
    },
  };
}

describe("a drill of the watch over the service", () => {
  it("names a platform that answers nobody within three minutes, in the console and in health, and its end", async () => {
    const fleet = await open(12);
    await fleet.live(20 * MINUTE_MS);
    const from = fleet.clock.now + 7 * SECOND_MS;
    fleet.platform.answer = (_driver, now) => (now >= from ? "error" : "offers");
    await fleet.live(3 * MINUTE_MS);
    expect(await fleet.problems()).toEqual([
      { kind: "platform_down", drivers: 12, of: 12, since: expect.any(Number) },
    ]);
    await fleet.live(10 * MINUTE_MS);
    fleet.platform.answer = () => "offers";
    const over = fleet.clock.now;
    await fleet.live(10 * MINUTE_MS);
    expect(fleet.named("platform.down", from).first).toBeLessThanOrEqual(3 * MINUTE_MS);
    expect(fleet.named("platform.down", over).last).toBeLessThanOrEqual(7 * MINUTE_MS);
    expect(await fleet.problems()).toEqual([]);
    expect(fleet.told).toEqual(["platform.down begins", "platform.down ends"]);
  });

  it("names a platform that makes the whole herd wait", async () => {
    const fleet = await open(12);
    await fleet.live(20 * MINUTE_MS);
    const from = fleet.clock.now;
    fleet.platform.answer = () => "limit";
    await fleet.live(6 * MINUTE_MS);
    expect(fleet.named("platform.limits", from).first).toBeLessThanOrEqual(6 * MINUTE_MS);
  });

  it("names objects that stopped", async () => {
    const fleet = await open(4);
    await fleet.live(5 * MINUTE_MS);
    fleet.gone.add(1);
    const from = fleet.clock.now;
    await fleet.live(8 * MINUTE_MS);
    expect(fleet.named("objects.stale", from).first).toBeLessThanOrEqual(6 * MINUTE_MS);
    expect(Object.keys(fleet.seen.at(-1)?.reasons ?? {})).toEqual(["objects.stale"]);
    expect(fleet.told).toEqual(["objects.stale begins"]);
  });

  it("names a step of the cron that fails, within four minutes, and its end", async () => {
    const fleet = await open(1);
    const row = { name: "renewals", startedAt: fleet.clock.now };
    const overdueAt = fleet.clock.now + 3 * MINUTE_MS;
    await noteStepSuccess(fleet.db, { ...row, succeededAt: fleet.clock.now, overdueAt });
    await fleet.live(4 * MINUTE_MS + SECOND_MS);
    expect(fleet.seen.at(-1)?.reasons).toEqual({ "cron.renewals": "missed" });
    expect(fleet.told).toEqual(["cron.renewals begins"]);
    const again = fleet.clock.now + DAY_MS;
    await noteStepSuccess(fleet.db, { ...row, succeededAt: fleet.clock.now, overdueAt: again });
    await fleet.live(5 * MINUTE_MS);
    expect(fleet.told).toEqual(["cron.renewals begins", "cron.renewals ends"]);
  });

  it("names nothing in six quiet hours, in which calls fail now and then and one driver is limited", async () => {
    const fleet = await open(3);
    const failing = (driver: number, now: EpochMs) =>
      (Math.floor(now / SECOND_MS) + driver * 977) % 1_801 < 15 ? "error" : "offers";
    fleet.platform.answer = (driver, now) =>
      driver === 0 && Math.floor(now / (10 * MINUTE_MS)) % 20 === 0 ? "limit" : failing(driver, now);
    await fleet.live(DAY_MS / 4);
    expect(fleet.told).toEqual([]);
    expect(fleet.seen.filter(({ reasons }) => Object.keys(reasons).length > 0)).toEqual([]);
  });
});
