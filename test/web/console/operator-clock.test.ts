import { expect, it, vi } from "vitest";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { queryClient } from "../../../web/api/client/query-client.ts";
import { meQuery } from "../../../web/console/calls/acts.ts";
import { raffleState } from "../../../web/console/raffles/raffle-state.ts";
import { noteServerTime, serverNow } from "../../../web/early/server-clock.ts";
import { OWNER } from "../../support/console-part.ts";
import { NOON } from "../../engine/fixtures.ts";

it("offers no draw before its beacon to an operator whose clock is ahead", async () => {
  vi.useFakeTimers({ now: NOON + 10 * MINUTE_MS, toFake: ["Date"] });
  vi.stubGlobal("fetch", async () => Response.json({ ...OWNER, now: NOON }));
  await queryClient.fetchQuery(meQuery);
  const roundAt = NOON + 5 * MINUTE_MS;
  const closing = { at: NOON, entriesHash: "", round: 1, roundAt, publicKey: "" };
  const over = { status: "over", isCompensated: false, hasBeacon: true, closing, endsAt: NOON } as const;
  expect(raffleState(over, serverNow()).waitsUntil).toBe(roundAt);
  vi.useRealTimers();
  vi.unstubAllGlobals();
  noteServerTime(Date.now(), Date.now());
});
