import { describe, expect, it } from "vitest";
import {
  DEFAULT_NOTIFICATION_PREFERENCES,
  DEFAULT_REMINDER_PREFERENCES,
} from "../../../db/shapes/notifications.ts";
import type { DriverOwner, Profile } from "../../../db/shapes/profile.ts";
import { DAY_MS, driverId, HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import { WeekMessage } from "../../../durable/driver/services/week-message.ts";
import { at, makeBlock, makeOffer, makeProfile, NOON } from "../fixtures.ts";

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

/** The message of a driver whose object lives on, or begins anew with what it stored. */
function open(blocks: Block[], fields: Partial<Profile> = {}, owner: DriverOwner | null = OWNER) {
  const kept = { now: NOON, told: null as string | null, sent: [] as string[], writes: 0 };
  const start = () =>
    new WeekMessage({
      now: () => kept.now,
      currency: "USD",
      machine: { owner, state: { profile: makeProfile(fields) } },
      stored: {
        weekTold: () => kept.told,
        write: (_field, value) => {
          kept.told = typeof value === "string" ? value : null;
          kept.writes += 1;
        },
      },
      blocks: () => ({ captured: blocks, held: blocks }),
      notify: ({ monday, figures, beforeCents }) =>
        void kept.sent.push(
          `${monday}: ${figures.captured.blocks}, ${figures.worked.payCents}, ${beforeCents}`,
        ),
    });
  return { kept, start };
}

describe("the week in one message", () => {
  it("comes on Sunday evening, once whatever restarts, and the next a week later", () => {
    const { kept, start } = open(WEEK);
    const first = start();
    const dueAt = first.nextAt() ?? 0;
    expect([dueAt >= SUNDAY, dueAt < SUNDAY + 30 * MINUTE_MS, first.run(OWNER)]).toEqual([true, true, false]);
    kept.now = dueAt;
    expect([first.run(OWNER), first.run(OWNER), start().run(OWNER)]).toEqual([true, false, false]);
    expect(kept.sent).toEqual(["2026-06-08: 1, 9000, 9000"]);
    expect([kept.writes, start().nextAt()]).toEqual([1, dueAt + 7 * DAY_MS]);
  });

  it("is not repeated after a clock that was set back", () => {
    const { kept, start } = open(WEEK);
    kept.now = start().nextAt() ?? 0;
    start().run(OWNER);
    kept.now -= DAY_MS;
    expect(start().nextAt()).toBeGreaterThan(SUNDAY + 6 * DAY_MS);
  });

  it("says nothing where nothing was captured or worked, and nothing of an evening that is long past", () => {
    const nothing = open([]);
    nothing.kept.now = nothing.start().nextAt() ?? 0;
    expect([nothing.start().run(OWNER), nothing.kept.sent]).toEqual([false, []]);
    const late = open(WEEK);
    late.kept.now = SUNDAY + 5.6 * HOUR_MS;
    expect([late.start().run(OWNER), late.kept.sent]).toEqual([false, []]);
  });

  it.each<[string, Partial<Profile>, DriverOwner | null]>([
    ["without service", { serviceUntil: NOON }, OWNER],
    ["who never had any", { serviceUntil: null }, OWNER],
    ["whose account is gone", {}, null],
  ])("wakes no object of a driver %s", (_case, fields, owner) => {
    expect(open(WEEK, fields, owner).start().nextAt()).toBeNull();
  });
});
