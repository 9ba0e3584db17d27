import { expect, it, vi } from "vitest";
import type { Log } from "../../durable/runtime/log.ts";
import { loadDriverLive } from "../../worker/console/driver-page.ts";
import type { ConsoleContext } from "../../worker/console/acts.ts";
import { quietSnapshot } from "../support/quiet-snapshot.ts";
import { ANA, openDesk } from "./desk.ts";

/** The console's answer about a driver whose object answers so, and what is logged. */
async function ask(snapshot: () => Promise<unknown>) {
  const { deps } = openDesk().as("one");
  const log = vi.fn<Log>();
  const driver = () => ({ snapshot }) as unknown as ReturnType<ConsoleContext["deps"]["driver"]>;
  return { live: await loadDriverLive({ deps: { ...deps, driver, log } }, ANA), log };
}

it("support sees a driver's dashboard as the object has it", async () => {
  const snapshot = quietSnapshot(0);
  const { live, log } = await ask(async () => snapshot);
  expect(live).toEqual({ snapshot, failure: null });
  expect(log).not.toHaveBeenCalled();
});

it("of an object that fails support sees how, and the log whose it is", async () => {
  const { live, log } = await ask(async () => {
    throw new TypeError("secret", { cause: new RangeError("secret") });
  });
  expect(live).toMatchObject({ snapshot: null, failure: { errors: ["TypeError", "RangeError"] } });
  expect(log.mock.calls).toEqual([
    ["error", "console.live.failed", expect.objectContaining({ driverId: ANA, error: "TypeError" })],
  ]);
  expect(JSON.stringify([live, log.mock.calls])).not.toContain("secret");
});

it("an object that doesn't answer in time is late, and keeps no screen waiting", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const asked = ask(() => new Promise(() => {}));
    await vi.advanceTimersByTimeAsync(60_000);
    expect((await asked).live).toMatchObject({ snapshot: null, failure: { errors: ["ObjectLateError"] } });
  } finally {
    vi.useRealTimers();
  }
});
