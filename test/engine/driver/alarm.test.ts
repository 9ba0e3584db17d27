import { expect, it } from "vitest";
import { Alarm } from "../../../durable/driver/alarm.ts";
import { step } from "../../../durable/engine/machine.ts";
import { activeState, ctx, makeProfile, NOON } from "../fixtures.ts";

/** An alarm whose object next has something to do at `next.at`. A stand-in is only as much of each part as the alarm uses. */
function open() {
  const written: (number | null)[] = [];
  const next: { at: number | null; isStorageDown: boolean } = { at: NOON + 3_000, isStorageDown: false };
  const write = async (at: number | null) => {
    if (next.isStorageDown) throw new Error("the storage failed");
    written.push(at);
  };
  const parts = {
    deps: { now: () => NOON },
    storage: { setAlarm: write, deleteAlarm: () => write(null) },
    store: { outbox: { nextAt: () => null }, state: { textDay: () => null } },
    machine: { nextWakeAt: () => next.at },
  } as unknown as ConstructorParameters<typeof Alarm>[0];
  return { alarm: new Alarm(parts), next, written };
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

it("keeps the newer profile where an older one comes late", () => {
  const on = activeState({ profile: makeProfile({ revision: 5 }) });
  const late = makeProfile({ revision: 4, switchedOn: false });
  const { state } = step(on, { kind: "profile_changed", profile: late }, ctx(NOON));
  expect(state.profile).toEqual(on.profile);
});
