import { describe, expect, it } from "vitest";
import type { CheckInResult } from "../../../db/shapes/work/check-in.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import { HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { CheckInService } from "../../../durable/driver/services/check-in-service.ts";
import type { CheckInOutcome } from "../../../durable/engine/state/outcomes.ts";
import type { DriverState, MachineEvent } from "../../../durable/engine/state/types.ts";
import { activeState, idOf, makeBlock, makeOffer, makeWarehouse, NOON } from "../fixtures.ts";

const BLOCK = makeBlock(makeOffer("a", { startsAt: NOON + 10 * MINUTE_MS }));
const POSITION = { latitude: 40.7, longitude: -73.5, accuracyMeters: 12 } as never;
const THROTTLED = { kind: "throttled", until: NOON + 1 } as DriverState["phase"];
const MUST_VERIFY = { kind: "verification_required" } as DriverState["phase"];

/** The service over a state, which each event may change. */
function open(
  given: Partial<DriverState>,
  {
    outcome = { kind: "too_late" } as CheckInOutcome,
    after = {} as Partial<Record<string, Partial<DriverState>>>,
  } = {},
) {
  const machine = { state: activeState(given) };
  const heard: string[] = [];
  const called: unknown[] = [];
  const hear = (event: { kind: string }) => {
    heard.push(event.kind);
    machine.state = { ...machine.state, ...after[event.kind] };
  };
  const service = new CheckInService({
    deps: {
      now: () => NOON,
      platform: {
        checkIn: async (call: unknown) => {
          called.push(call);
          return outcome;
        },
      },
    },
    machine,
    loop: {
      settle: async (event: MachineEvent) => hear(event),
      dispatch: (event: MachineEvent) => hear(event),
      request: async (call: (token: string) => Promise<unknown>) => call("token"),
    },
  } as unknown as ConstructorParameters<typeof CheckInService>[0]);
  return { service, heard, called };
}

const failed = (code: string): CheckInResult => ({ ok: false, error: { code } }) as CheckInResult;
const answered = (response: object): CheckInResult => ({ ok: true, response }) as CheckInResult;

describe("a check-in", () => {
  it.each<[CheckInOutcome, CheckInResult]>([
    [{ kind: "checked_in", block: null }, answered({ outcome: "checked_in", block: BLOCK })],
    [
      { kind: "outside_geofence", distanceMeters: 400 },
      answered({ outcome: "outside_geofence", distanceMeters: 400 }),
    ],
    [{ kind: "too_early", opensAt: NOON + 1 }, answered({ outcome: "too_early", opensAt: NOON + 1 })],
    [{ kind: "too_late" }, answered({ outcome: "too_late" })],
    [{ kind: "already_checked_in" }, answered({ outcome: "already_checked_in" })],
    [{ kind: "block_not_found" }, failed("not_found")],
    [{ kind: "signed_out" }, failed("not_linked")],
    [{ kind: "verification_required" } as CheckInOutcome, failed("verification_required")],
    [
      { kind: "rate_limited", retryAt: NOON + 5 } as CheckInOutcome,
      { ok: false, error: { code: "rate_limited", retryAt: NOON + 5 } },
    ],
    [{ kind: "unreachable" } as CheckInOutcome, failed("platform_unreachable")],
    [{ kind: "timeout" } as CheckInOutcome, failed("platform_unreachable")],
    [{ kind: "unreadable" } as CheckInOutcome, failed("platform_unreachable")],
    [{ kind: "refused" } as CheckInOutcome, failed("platform_refused")],
  ])("that the platform answers by %o is told so", async (outcome, result) => {
    const { service, heard, called } = open({ held: [BLOCK] }, { outcome });
    expect(await service.checkIn(BLOCK.blockId, POSITION)).toEqual(result);
    expect(called).toEqual([{ accessToken: "token", blockId: BLOCK.blockId, position: POSITION }]);
    expect(heard).toEqual(["check_in_answered"]);
  });

  it("that the platform took counts although its block left the list meanwhile", async () => {
    const { service } = open(
      { held: [BLOCK] },
      { outcome: { kind: "checked_in", block: null }, after: { check_in_answered: { held: [] } } },
    );
    expect(await service.checkIn(BLOCK.blockId, POSITION)).toEqual(
      answered({ outcome: "checked_in", block: { ...BLOCK, status: "checked_in", checkedInAt: NOON } }),
    );
  });

  it("of a block that is not known as held asks for the blocks first", async () => {
    const known = open({ held: [] }, { after: { arriving: { held: [BLOCK] } } });
    expect(await known.service.checkIn(BLOCK.blockId, POSITION)).toEqual(answered({ outcome: "too_late" }));
    expect(known.heard).toEqual(["arriving", "check_in_answered"]);
    const other = open({ held: [makeBlock(makeOffer("b"))] });
    expect(await other.service.checkIn(BLOCK.blockId, POSITION)).toEqual(failed("not_found"));
    expect([other.heard, other.called]).toEqual([["arriving"], []]);
  });

  it.each<[string, Partial<DriverState>, CheckInResult]>([
    ["no account is linked", { link: { status: "signed_out" } }, failed("not_linked")],
    ["the driver has to verify themselves", { phase: MUST_VERIFY }, failed("verification_required")],
    [
      "the platform asked us to wait",
      { phase: THROTTLED },
      { ok: false, error: { code: "rate_limited", retryAt: NOON + 1 } },
    ],
  ])("does not reach the platform where %s", async (_name, state, result) => {
    const { service, called } = open({ held: [BLOCK], ...state });
    expect(await service.checkIn(BLOCK.blockId, POSITION)).toEqual(result);
    expect(called).toEqual([]);
  });

  it("asks once more whether the driver still has to verify themselves", async () => {
    const verification = { checkedAt: NOON } as unknown as DriverState["verification"];
    const { service, heard } = open(
      { held: [BLOCK], phase: MUST_VERIFY, verification },
      { after: { driver_returned: { phase: { kind: "polling" }, verification: null } } },
    );
    expect(await service.checkIn(BLOCK.blockId, POSITION)).toEqual(answered({ outcome: "too_late" }));
    expect(heard).toEqual(["driver_returned", "check_in_answered"]);
  });
});

describe("the block to check in to", () => {
  const later: Block = makeBlock(makeOffer("b", { startsAt: NOON + 20 * HOUR_MS }));

  it("comes with its warehouse, as far as it is known, of the blocks that the platform lists now", async () => {
    const arriving = { after: { arriving: { held: [BLOCK, later] } } };
    const { service, heard } = open({ held: [later] }, arriving);
    expect(await service.nextBlock()).toEqual({ block: BLOCK, warehouse: makeWarehouse(), obstacle: null });
    expect(heard).toEqual(["arriving"]);
    const elsewhere = open(
      { warehouses: [makeWarehouse({ warehouseId: idOf.warehouse("DBK1") })] },
      arriving,
    );
    expect(await elsewhere.service.nextBlock()).toEqual({ block: BLOCK, warehouse: null, obstacle: null });
  });

  it("is none where none is held, and comes with what stands in its way", async () => {
    const none = { block: null, warehouse: null, obstacle: null };
    expect(await open({}).service.nextBlock()).toEqual(none);
    expect(await open({ phase: THROTTLED }).service.nextBlock()).toEqual({
      ...none,
      obstacle: { kind: "wait", until: NOON + 1 },
    });
  });
});
