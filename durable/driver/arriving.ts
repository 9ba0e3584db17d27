import type { CheckInAnswer, DevicePosition, NextBlockAnswer } from "../../worker/contract/arrival.ts";
import { blockToArriveAt } from "../engine/arrive.ts";
import type { CheckInOutcome, DriverState } from "../engine/types.ts";
import type { BlockId, EpochMs } from "../engine/units.ts";
import type { Platform } from "../platform/client.ts";
import type { TokenKeeper } from "../platform/tokens.ts";
import type { Apply } from "./effects.ts";

/** Why a check-in could not be asked for or answered; each is a code of the API. */
export type ArrivalFault =
  | { code: "not_found" | "not_linked" | "verification_required" | "platform_unreachable" }
  | { code: "rate_limited"; retryAt: EpochMs | null };

export type ArrivalStep = { ok: true; answer: CheckInAnswer } | { ok: false; fault: ArrivalFault };

type Parts = {
  platform: Platform;
  tokens: TokenKeeper | null;
  now: () => EpochMs;
  state: () => DriverState;
  apply: Apply;
};

/** The driver arrives: which block that is, and saying so to the platform. */
export class Arriving {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async next(): Promise<NextBlockAnswer> {
    const { state, now, apply } = this.#parts;
    await apply({ kind: "arriving" });
    const { held, warehouses } = state();
    const block = blockToArriveAt(held, now());
    const warehouse = warehouses.find(({ warehouseId }) => warehouseId === block?.warehouseId);
    return { block, warehouse: warehouse ?? null };
  }

  /** Passes on what the device measured, as it is. */
  async checkIn(blockId: BlockId, position: DevicePosition): Promise<ArrivalStep> {
    const { platform, tokens, state, apply } = this.#parts;
    if (!tokens || state().link.status !== "linked") return fail("not_linked");
    const isHeld = () => state().held.some((block) => block.blockId === blockId);
    if (!isHeld()) await apply({ kind: "arriving" });
    if (!isHeld()) return fail("not_found");
    const outcome = await tokens.withToken((accessToken) =>
      platform.checkIn({ accessToken, blockId, position }),
    );
    await apply({ kind: "check_in_answered", blockId, outcome });
    return toStep(outcome);
  }
}

function toStep(outcome: CheckInOutcome): ArrivalStep {
  switch (outcome.kind) {
    case "checked_in":
      return { ok: true, answer: { outcome: "checked_in", block: outcome.block } };
    case "outside_geofence":
      return { ok: true, answer: { outcome: "outside_geofence", distanceMeters: outcome.distanceMeters } };
    case "too_early":
      return { ok: true, answer: { outcome: "too_early", opensAt: outcome.opensAt } };
    case "too_late":
    case "already_checked_in":
      return { ok: true, answer: { outcome: outcome.kind } };
    case "block_not_found":
      return fail("not_found");
    case "signed_out":
      return fail("not_linked");
    case "verification_required":
      return fail("verification_required");
    case "rate_limited":
      return { ok: false, fault: { code: "rate_limited", retryAt: outcome.retryAt } };
    case "unreachable":
    case "timeout":
    case "unreadable":
    case "refused":
      return fail("platform_unreachable");
  }
}

function fail(code: Exclude<ArrivalFault["code"], "rate_limited">): ArrivalStep {
  return { ok: false, fault: { code } };
}
