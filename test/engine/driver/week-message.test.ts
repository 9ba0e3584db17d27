import { describe, expect, it } from "vitest";
import {
  DEFAULT_NOTIFICATION_PREFERENCES,
  DEFAULT_REMINDER_PREFERENCES,
} from "../../../db/shapes/notifications.ts";
import type { DriverOwner, Profile } from "../../../db/shapes/profile.ts";
import { DAY_MS, driverId, HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import type { ProposedGain } from "../../../db/shapes/log/passed-over.ts";
import { WeekMessage } from "../../../durable/driver/services/week-message.ts";
import { at, idOf, makeBlock, makeOffer, makeProfile, NOON } from "../fixtures.ts";

const OWNER: DriverOwner = {
  driverId: driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01"),
  phoneNumber: "+12125550100",
  language: "en",
  timeZone: "America/New_York",
  notifications: DEFAULT_NOTIFICATION_PREFERENCES,
  reminders: DEFAULT_REMINDER_PREFERENCES,
};
const SUNDAY = at("2026-06-14T18:00:00-04:00");

const block = (name: string, startsAt: number) =>
  makeBlock(makeOffer(name, { startsAt, endsAt: startsAt + 3 * HOUR_MS, payCents: 9_000 }), {
    acceptedAt: startsAt - HOUR_MS,
  });
const WEEK = [block("this", NOON), block("before", NOON - 7 * DAY_MS)];

const LOWER: ProposedGain = {
  change: { kind: "min_price", warehouseId: idOf.warehouse("DNY4"), cents: 8_000 },
  offers: 3,
  payCents: 24_000,
};

/** The message of a driver whose object lives on, or begins anew with what it stored. */
function open(
  blocks: Block[],
  {
    fields = {},
    owner = OWNER,
    change = () => Promise.resolve(null),
  }: {
    fields?: Partial<Profile>;
    owner?: DriverOwner | null;
    change?: () => Promise<ProposedGain | null>;
  } = {},
) {
  const kept = {
    now: NOON,
    told: null as string | null,
    sent: [] as string[],
    writes: 0,
    searches: 0,
    owner,
  };
  const start = () =>
    new WeekMessage({
      now: () => kept.now,
      currency: "USD",
      machine: {
        get owner() {
          return kept.owner;
        },
        state: { profile: makeProfile(fields) },
      },
      stored: {
        weekTold: () => kept.told,
        write: (_field, value) => {
          kept.told = typeof value === "string" ? value : null;
          kept.writes += 1;
        },
      },
      blocks: () => ({ captured: blocks, held: blocks }),
      findChange: () => {
        kept.searches += 1;
        return change();
      },
      notify: ({ monday, figures, beforeCents, best }) =>
        void kept.sent.push(
          `${monday}: ${figures.captured.blocks}, ${figures.worked.payCents}, ${beforeCents}, ${best?.offers ?? 0}`,
        ),
      log: (_level, event) => void kept.sent.push(event),
    });
  return { kept, start };
}

describe("the week in one message", () => {
  it("comes on Sunday evening, once whatever restarts, and the next a week later", async () => {
    const { kept, start } = open(WEEK);
    const first = start();
    const dueAt = first.nextAt() ?? 0;
    expect([dueAt >= SUNDAY, dueAt < SUNDAY + 30 * MINUTE_MS, await first.run()]).toEqual([
      true,
      true,
      false,
    ]);
    kept.now = dueAt;
    expect([await first.run(), await first.run(), await start().run()]).toEqual([true, false, false]);
    expect(kept.sent).toEqual(["2026-06-08: 1, 9000, 9000, 0"]);
    expect([kept.writes, start().nextAt()]).toEqual([1, dueAt + 7 * DAY_MS]);
  });

  it.each([
    ["spring skips an hour", "2026-03-08", "2026-03-08T18:00:00-04:00"],
    ["autumn repeats one", "2026-11-01", "2026-11-01T18:00:00-05:00"],
    ["nothing changes", "2026-11-08", "2026-11-08T18:00:00-05:00"],
  ])("comes at 6 PM on the clock where %s that Sunday", (_case, date, evening) => {
    const { kept, start } = open(WEEK, { fields: { serviceUntil: at("2027-01-01T00:00:00Z") } });
    kept.now = at(`${date}T00:00:00-05:00`) - DAY_MS;
    const dueAt = start().nextAt() ?? 0;
    expect([dueAt >= at(evening), dueAt < at(evening) + 30 * MINUTE_MS]).toEqual([true, true]);
  });

  it("is not repeated after a clock that was set back", async () => {
    const { kept, start } = open(WEEK);
    kept.now = start().nextAt() ?? 0;
    await start().run();
    kept.now -= DAY_MS;
    expect(start().nextAt()).toBeGreaterThan(SUNDAY + 6 * DAY_MS);
  });

  it("says nothing where nothing was captured or worked, and nothing of an evening that is long past", async () => {
    const nothing = open([]);
    nothing.kept.now = nothing.start().nextAt() ?? 0;
    expect([await nothing.start().run(), nothing.kept.sent]).toEqual([false, []]);
    const late = open(WEEK);
    late.kept.now = SUNDAY + 5.6 * HOUR_MS;
    expect([await late.start().run(), late.kept.sent]).toEqual([false, []]);
  });

  it("names the one change that would have brought most, also where nothing was captured", async () => {
    for (const blocks of [WEEK, []]) {
      const { kept, start } = open(blocks, { change: () => Promise.resolve(LOWER) });
      kept.now = start().nextAt() ?? 0;
      expect(await start().run()).toBe(true);
      expect(kept.sent).toEqual([expect.stringMatching(/, 3$/)]);
    }
  });

  it("tells the figures where the search for a change fails", async () => {
    const { kept, start } = open(WEEK, { change: () => Promise.reject(new Error("unreadable")) });
    kept.now = start().nextAt() ?? 0;
    expect(await start().run()).toBe(true);
    expect(kept.sent).toEqual(["driver.week_change.failed", "2026-06-08: 1, 9000, 9000, 0"]);
  });

  it("looks for no change for a driver who switched it off", async () => {
    const reminders = { ...OWNER.reminders, week: { text: false, push: false } };
    const { kept, start } = open(WEEK, { owner: { ...OWNER, reminders } });
    kept.now = start().nextAt() ?? 0;
    await start().run();
    expect(kept.searches).toBe(0);
  });

  it("tells and stores nothing of an account that is deleted meanwhile", async () => {
    const { kept, start } = open(WEEK, {
      change: () => {
        kept.owner = null;
        return Promise.resolve(LOWER);
      },
    });
    kept.now = start().nextAt() ?? 0;
    expect([await start().run(), kept.sent, kept.writes]).toEqual([false, [], 0]);
  });

  it.each<[string, Partial<Profile>, DriverOwner | null]>([
    ["without service", { serviceUntil: NOON }, OWNER],
    ["who never had any", { serviceUntil: null }, OWNER],
    ["whose account is gone", {}, null],
  ])("wakes no object of a driver %s", (_case, fields, owner) => {
    expect(open(WEEK, { fields, owner }).start().nextAt()).toBeNull();
  });
});
