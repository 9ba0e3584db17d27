import { expect, it } from "vitest";
import { Alarm } from "../../../durable/driver/alarm.ts";
import { TickerCalls } from "../../../durable/driver/ticker-calls.ts";
import { step } from "../../../durable/engine/machine.ts";
import { activeState, ctx, makeProfile, NOON } from "../fixtures.ts";

const TICKER = "tick:enam:0";
const MINUTE = 60_000;

/**
 * An alarm whose object next has something to do at `next.at`, and what it asks of a ticker. A stand-in is only as much
 * of each part as the alarm uses.
 */
function open({ due = async () => true }: { due?: () => Promise<boolean> } = {}) {
  const written: (number | null)[] = [];
  const asked: number[] = [];
  const next: { at: number | null; outboxAt: number | null; now: number; isStorageDown: boolean } = {
    at: NOON + 3_000,
    outboxAt: null,
    now: NOON,
    isStorageDown: false,
  };
  const write = async (at: number | null) => {
    if (next.isStorageDown) throw new Error("the storage failed");
    written.push(at);
  };
  const deps = {
    now: () => next.now,
    log: () => {},
    ticker: () => ({
      name: TICKER,
      due: ({ at }: { at: number }) => {
        asked.push(at);
        return due();
      },
    }),
  };
  const machine = {
    nextWakeAt: () => next.at,
    owner: { driverId: "driver" } as { driverId: string } | null,
  };
  const waiting: Promise<void>[] = [];
  const ticker = new TickerCalls({
    deps,
    machine,
    objectName: "enam:driver",
    waitUntil: (work: Promise<void>) => void waiting.push(work),
  } as unknown as ConstructorParameters<typeof TickerCalls>[0]);
  const parts = {
    deps,
    storage: { setAlarm: write, deleteAlarm: () => write(null) },
    store: { outbox: { nextAt: () => next.outboxAt }, state: { textDay: () => null } },
    machine,
    ticker,
    lostTime: { nextAt: () => null },
    shiftChecks: { nextAt: () => null },
    weekMessage: { nextAt: () => null },
    lostDayMessage: { nextAt: () => null },
  } as unknown as ConstructorParameters<typeof Alarm>[0];
  const alarm = new Alarm(parts);
  /** A poll for which the ticker calls. */
  const tick = (pollMs = 1_000) =>
    ticker.during(async () => {
      await alarm.during(async () => {
        next.at = next.now + pollMs;
      });
      return alarm.nextAt();
    });
  return { alarm, machine, ticker, tick, next, written, asked, settle: () => Promise.all(waiting) };
}

it("arms the next alarm although the work of this one throws", async () => {
  const { alarm, written } = open();
  const broken = alarm.during(() => Promise.reject(new Error("the work failed")));
  await expect(broken).rejects.toThrow("the work failed");
  expect(written).toEqual([NOON + 3_000]);
});

it("writes an alarm once, however many ask for it, and each other instant", async () => {
  const { alarm, next, written } = open();
  await alarm.set();
  await alarm.set();
  next.at = NOON + 1_000;
  await alarm.set();
  next.at = null;
  await alarm.set();
  await alarm.set();
  expect(written).toEqual([NOON + 3_000, NOON + 1_000, null]);
});

it("writes it anew once it fired, once its write failed, and once the storage was deleted", async () => {
  const { alarm, next, written } = open();
  await alarm.set();
  await alarm.during(async () => {});
  next.at = NOON + 9_000;
  next.isStorageDown = true;
  await expect(alarm.set()).rejects.toThrow("the storage failed");
  next.isStorageDown = false;
  await alarm.set();
  alarm.forget();
  await alarm.set();
  expect(written).toEqual([NOON + 3_000, NOON + 3_000, NOON + 9_000, NOON + 9_000]);
});

it("stands a minute behind the ticker's next call, and is written twice a minute", async () => {
  const { tick, next, written, asked } = open();
  for (let poll = 0; poll < 60; poll += 1) {
    expect(await tick()).toBe(next.now + 1_000);
    next.now += 1_000;
  }
  expect(written).toEqual([NOON + 1_000 + MINUTE, NOON + 32_000 + MINUTE]);
  expect(asked).toEqual([]);
});

it("is exact after a run of its own, which asks the ticker for the next call", async () => {
  const { alarm, tick, next, written, asked, settle } = open();
  await tick();
  // The ticker is lost, and the alarm behind it fires.
  next.now = NOON + 61_000;
  next.at = NOON + 62_000;
  await alarm.during(async () => {});
  expect(written.at(-1)).toBe(NOON + 62_000);
  expect(asked).toEqual([NOON + 62_000]);
  await settle();
  // A later instant leaves the exact alarm for one behind the call.
  next.at = NOON + 61_500;
  await alarm.set();
  expect(written.at(-1)).toBe(NOON + 61_500);
  next.at = NOON + 63_000;
  await settle();
  await alarm.set();
  expect(written.at(-1)).toBe(NOON + 63_000 + MINUTE);
});

it("asks a ticker that is full or down no more than once in a while", async () => {
  const counts = [];
  for (const due of [async () => false, () => Promise.reject(new Error("down"))]) {
    const { alarm, next, written, asked, settle } = open({ due });
    for (let poll = 0; poll < 600; poll += 1) {
      next.at = next.now + 1_000;
      await alarm.set();
      await settle();
      next.now += 1_000;
    }
    counts.push([asked.length, written.length, written.at(-1) === next.now]);
  }
  // Five minutes, and one.
  expect(counts).toEqual([
    [2, 600, true],
    [10, 600, true],
  ]);
});

it("asks no ticker for what is so far away that the object may leave memory", async () => {
  const { alarm, tick, next, written, asked } = open();
  next.at = NOON + 10_000;
  await alarm.set();
  expect([written, asked]).toEqual([[NOON + 10_000], []]);
  expect(await tick(20_000)).toBeNull();
  expect(written.at(-1)).toBe(NOON + 20_000);
});

it("knows the ticker of the settings from any other", () => {
  const { ticker } = open();
  expect([ticker.isCalledBy(TICKER), ticker.isCalledBy("tick:enam:1")]).toEqual([true, false]);
});

it("keeps the newer profile where an older one comes late", () => {
  const on = activeState({ profile: makeProfile({ revision: 5 }) });
  const late = makeProfile({ revision: 4, switchedOn: false });
  const { state } = step(on, { kind: "profile_changed", profile: late }, ctx(NOON));
  expect(state.profile).toEqual(on.profile);
});

it("wakes no object each second for what it can't send, since it knows no driver", async () => {
  const { alarm, machine, next, written } = open();
  next.at = null;
  next.outboxAt = NOON - MINUTE;
  await alarm.set();
  machine.owner = null;
  await alarm.during(async () => {});
  expect(written).toEqual([NOON + 1_000, null]);
});
