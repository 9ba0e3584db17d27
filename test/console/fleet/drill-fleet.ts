import * as z from "zod/mini";
import { openDb } from "../../../db/client.ts";
import { createDriver, updateDriver } from "../../../db/queries/accounts/drivers.ts";
import { saveFleetReports } from "../../../db/queries/fleet/reports.ts";
import {
  DEFAULT_NOTIFICATION_PREFERENCES,
  DEFAULT_REMINDER_PREFERENCES,
} from "../../../db/shapes/notifications.ts";
import { cityHours } from "../../../db/schema/fleet.ts";
import { emptyCityCounts, type CityCounts } from "../../../db/shapes/city-counts.ts";
import { attemptId, driverId, HOUR_MS, MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import type { Attempt } from "../../../db/shapes/log/attempt.ts";
import type { Phase } from "../../../db/shapes/work/phase.ts";
import { FleetReporter } from "../../../durable/driver/logs/fleet-reporter.ts";
import { createSms } from "../../../durable/messaging/sms.ts";
import { createDelivery } from "../../../durable/texts/delivery.ts";
import { retryWaitMs } from "../../../durable/engine/state/cadence.ts";
import { initialState } from "../../../durable/engine/initial-state.ts";
import type { DriverState, Effect, MachineEvent } from "../../../durable/engine/state/types.ts";
import { watchObjects, watchService } from "../../../worker/cron/watch-service.ts";
import { openWatchers } from "../../support/watchers.ts";
import { findSilentCities } from "../../../worker/console/cities.ts";
import { loadFleetProblems } from "../../../worker/console/fleet-problems.ts";
import { writeMetrics, type MetricPoint } from "../../../worker/cron/watchdog.ts";
import { alertOperators } from "../../../worker/cron/alert-operators.ts";
import { createHealth } from "../../../worker/http/health.ts";
import { makeBlock, makeOffer, makeProfile, NOON, SETTINGS } from "../../engine/fixtures.ts";
import { UNCHANGED } from "../../engine/steps.ts";
import { migratedDatabase } from "../../support/runtime/migrated-database.ts";
import { bindD1 } from "../../support/runtime/node-d1.ts";

const SECOND_MS = 1_000;
const POLL_MS = 10 * SECOND_MS;
const OFFER_EVERY_MS = 90 * SECOND_MS;
const CAPTURE_EVERY_MS = 10 * MINUTE_MS;

const alertBody = z.object({ event: z.string(), name: z.string() });

type Answer = "offers" | "error" | "limit";

function wonAttempt(now: EpochMs): Attempt {
  const offer = makeOffer("won");
  return {
    attemptId: attemptId.parse("attempt-won"),
    offer,
    place: null,
    payAtLeastCents: offer.payCents,
    createdAt: now,
    endedAt: now,
    outcome: { status: "won", block: makeBlock(offer) },
  };
}

const stateIn = (phase: Phase): DriverState => ({
  ...initialState("drill"),
  profile: makeProfile(),
  link: { status: "linked" },
  phase,
});

/** A database that says how large it is, and takes its time. */
function withSize(
  stored: ReturnType<typeof bindD1>,
  { database, clock }: { database: { sizeBytes: number; takesMs: number }; clock: { now: EpochMs } },
) {
  const prepare = (query: string) => {
    const statement = stored.prepare(query);
    if (query !== "select 1") return statement;
    const run = async () => {
      clock.now += database.takesMs;
      const answer = await statement.run();
      return { ...answer, meta: { size_after: database.sizeBytes } };
    };
    return { ...statement, bind: () => ({ ...statement, run }), run };
  };
  return { ...stored, prepare };
}

/** No offers are published then. */
export const isNightAt = (now: EpochMs) => Math.floor(now / HOUR_MS) % 24 < 6;

/** An hour's counts of a city in which each driver sees an offer every ninety seconds, and takes six in an hour. */
const usualHour = (drivers: number, hour: number): CityCounts => {
  const isNight = isNightAt(hour * HOUR_MS);
  const until = (hour + 1) * HOUR_MS - 1;
  return {
    ...emptyCityCounts(),
    lookedSeconds: drivers * 3_600,
    offers: isNight ? 0 : drivers * 40,
    matches: isNight ? 0 : drivers * 40,
    captures: isNight ? 0 : drivers * 6,
    answered: drivers * 360,
    callAt: until,
    offerAt: isNight ? 0 : until,
    matchAt: isNight ? 0 : until,
    captureAt: isNight ? 0 : until,
  };
};

const WATCHERS = 2;

/** A fleet in virtual time, with the minute's watch over it. `pollMs`: how often a driver's system looks. */
export async function openDrill(drivers: number, { pollMs = POLL_MS, weeks = 0 } = {}) {
  const clock = { now: NOON };
  const database = { sizeBytes: 0, takesMs: 0 };
  const stored = bindD1(migratedDatabase());
  const db = openDb(withSize(stored, { database, clock }));
  const deps = { db, now: () => clock.now, log: () => {} };
  // No call wakes an object that is gone.
  const watchers = openWatchers(WATCHERS, {
    ...deps,
    wake: async () => ({ isWatched: true, failure: null }),
  });
  const platform = {
    answer: (_driver: number, _now: EpochMs): Answer => "offers",
    hasOffers: (_driver: number, now: EpochMs): boolean => !isNightAt(now),
  };
  const gone = new Set<number>();
  const sms = {
    url: "",
    accountSid: "",
    authToken: "",
    signingTokens: [],
    from: "",
    sender: "number",
  } as const;
  const health = createHealth({ ...deps, config: { sms, masterKeyIds: [], problems: [] } });
  const fleet = Array.from({ length: drivers }, (_, index) => ({
    index,
    owner: {
      driverId: driverId.parse(`driver-${index}`),
      phoneNumber: "+15550100100",
      language: "en" as const,
      timeZone: "America/New_York",
      notifications: DEFAULT_NOTIFICATION_PREFERENCES,
      reminders: DEFAULT_REMINDER_PREFERENCES,
    },
    reporter: new FleetReporter({
      ...deps,
      settings: SETTINGS,
      send: (report) => saveFleetReports(db, [report]),
      stored: { fleetCounts: () => null, write: () => {} },
    }),
    failures: 0,
    heartbeatAt: 0,
    answeredAt: null as EpochMs | null,
    offers: 0,
    captures: 0,
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
    await updateDriver(db, owner.driverId, { humanRegion: "Austin" });
  }
  for (let hour = Math.floor(NOON / HOUR_MS) - weeks * 168; hour < Math.floor(NOON / HOUR_MS); hour += 1)
    await db.insert(cityHours).values({ hour, city: "Austin", ...usualHour(drivers, hour) });
  type Simulated = (typeof fleet)[number];

  async function wake(driver: Simulated): Promise<void> {
    const { now } = clock;
    const answer = platform.answer(driver.index, now);
    driver.failures = answer === "offers" ? 0 : driver.failures + 1;
    const waitMs = answer === "offers" ? pollMs : retryWaitMs(driver.failures);
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
    const { transient } = state;
    const before = { ...state, transient: { ...transient, lastPollAnsweredAt: driver.answeredAt } };
    driver.reporter.note({ before, event, state, effects: effectsOf(driver, answer) }, now);
    if (answer === "offers") driver.answeredAt = now;
    await driver.reporter.report(driver.owner, state, now);
    if (now - driver.heartbeatAt < MINUTE_MS) return;
    driver.heartbeatAt = now;
    const dueAt = Math.max(driver.wakesAt, now + MINUTE_MS) + 2 * MINUTE_MS;
    await watchers
      .of(driver.owner.driverId)
      ?.beat({ driverId: driver.owner.driverId, objectName: "o", dueAt });
  }

  /** The offers that came since the driver last looked, and every tenth minute a capture. */
  function effectsOf(driver: Simulated, answer: Answer): Effect[] {
    const { now } = clock;
    const after = driver.answeredAt ?? now;
    if (answer !== "offers" || !platform.hasOffers(driver.index, now)) return [];
    const countIn = (everyMs: number) => Math.floor(now / everyMs) - Math.floor(after / everyMs);
    const judged = Array.from({ length: countIn(OFFER_EVERY_MS) }, () => {
      driver.offers += 1;
      const offer = makeOffer(`${driver.index}-${driver.offers}`);
      return { kind: "offer_judged" as const, at: now, offer, reasons: [], filtersVersion: 1 };
    });
    const isWon = countIn(CAPTURE_EVERY_MS) > 0;
    const won = isWon ? [{ kind: "attempt_settled" as const, at: now, attempt: wonAttempt(now) }] : [];
    return [{ kind: "log", events: [...judged, ...won] }];
  }

  /** The status with which the gateway answers a text a minute; null: no text goes out. */
  const gateway = { answer: null as number | null };
  const delivery = createDelivery({
    ...deps,
    publicUrl: "https://jornada.test",
    sms: createSms({
      ...sms,
      baseUrl: "https://sms.test",
      note: () => {},
      inTurn: (call) => call(),
      send: async () => Response.json({ sid: "SM1", code: 20003 }, { status: gateway.answer ?? 503 }),
    }),
  });

  const points: { at: EpochMs; point: MetricPoint }[] = [];
  const metrics = {
    writeDataPoint: (point: MetricPoint) => void points.push({ at: clock.now, point }),
  };

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
    sleep: () => new Promise<void>(() => {}),
    restoreRecord: () => null,
    config: { alerts, operators: null, productName: "Jornada", publicUrl: "https://jornada.test" },
  };

  const seen: { at: EpochMs; reasons: Record<string, string> }[] = [];
  return {
    clock,
    platform,
    gone,
    seen,
    told,
    gateway,
    points,
    database,
    db,
    watchers,
    silent: async () => (await findSilentCities(db, clock.now)).silent,
    problems: async () => (await loadFleetProblems(db, clock.now)).problems,
    /** Lives through so much time, with the cron in it. */
    async live(ms: number, cronEveryMs = MINUTE_MS): Promise<void> {
      const end = clock.now + ms;
      // A slow answer takes time within a second, and shifts no minute.
      for (let tick = clock.now; tick < end; tick += SECOND_MS) {
        clock.now = tick;
        for (const driver of fleet) {
          if (!gone.has(driver.index) && driver.wakesAt <= clock.now) await wake(driver);
        }
        if (clock.now % cronEveryMs !== 0) continue;
        await watchObjects({ ...deps, watchers, config: { watchers: WATCHERS } });
        if (gateway.answer !== null) {
          const text = await delivery.prepare({ to: "+15550101000", account: null });
          await text.send({ body: "A block" });
        }
        await writeMetrics(deps, metrics);
        await watchService({ ...deps, restoreRecord: () => null, config: { problems: [] } });
        // Two runs at once, as where one is late.
        await Promise.all([alertOperators(teller), alertOperators(teller)]);
        seen.push({ at: clock.now, reasons: (await health()).reasons });
      }
      clock.now = end;
    },
    /** How long after an instant health first named a reason, and when it last did. */
    named(reason: string, from: EpochMs) {
      const at = seen.filter(({ reasons }) => reason in reasons).map((one) => one.at - from);
      return { first: at[0], last: at.at(-1) };
    },
  };
}
