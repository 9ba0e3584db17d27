import { expect, it } from "vitest";
import { Alarm } from "../../durable/driver/alarm.ts";
import { step } from "../../durable/engine/machine.ts";
import { activeState, ctx, makeProfile, NOON } from "./fixtures.ts";

it("arms the next alarm although the work of this one throws", async () => {
  const armed: number[] = [];
  // A stand-in is only as much of each part as the alarm uses.
  const parts = {
    deps: { now: () => NOON },
    storage: {
      setAlarm: async (at: number) => void armed.push(at),
      deleteAlarm: async () => {},
    },
    store: { outbox: { nextAt: () => null }, state: { textDay: () => null } },
    machine: { nextWakeAt: () => NOON + 3_000 },
  } as unknown as ConstructorParameters<typeof Alarm>[0];
  const broken = new Alarm(parts).during(() => Promise.reject(new Error("the work failed")));
  await expect(broken).rejects.toThrow("the work failed");
  expect(armed).toEqual([NOON + 3_000]);
});

it("keeps the newer profile where an older one comes late", () => {
  const on = activeState({ profile: makeProfile({ revision: 5 }) });
  const late = makeProfile({ revision: 4, switchedOn: false });
  const { state } = step(on, { kind: "profile_changed", profile: late }, ctx(NOON));
  expect(state.profile).toEqual(on.profile);
});
