import type {
  CheckInError,
  CheckInResult,
  DevicePosition,
  NextBlockResponse,
} from "../../db/shapes/check-in.ts";
import { blockToCheckInto } from "../engine/check-in.ts";
import type { CheckInOutcome, DriverState } from "../engine/types.ts";
import type { BlockId, EpochMs } from "../../db/shapes/units.ts";
import type { Platform } from "../platform/client.ts";
import type { TokenManager } from "../platform/token-manager.ts";
import type { ApplyEvent } from "./effects.ts";

type CheckInDeps = {
  platform: Platform;
  tokens: TokenManager | null;
  now: () => EpochMs;
  state: () => DriverState;
  apply: ApplyEvent;
};

/** The driver arrives: which block that is, and saying so to the platform. */
export class CheckInService {
  readonly #deps: CheckInDeps;

  constructor(parts: CheckInDeps) {
    this.#deps = parts;
  }

  async nextBlock(): Promise<NextBlockResponse> {
    const { state, now, apply } = this.#deps;
    await apply({ kind: "arriving" });
    const { held, warehouses } = state();
    const block = blockToCheckInto(held, now());
    const warehouse = warehouses.find(({ warehouseId }) => warehouseId === block?.warehouseId);
    return { block, warehouse: warehouse ?? null };
  }

  /** Passes on what the device measured, as it is. */
  async checkIn(blockId: BlockId, position: DevicePosition): Promise<CheckInResult> {
    const { platform, tokens, state, apply } = this.#deps;
    if (!tokens || state().link.status !== "linked") return fail("not_linked");
    const isHeld = () => state().held.some((block) => block.blockId === blockId);
    if (!isHeld()) await apply({ kind: "arriving" });
    if (!isHeld()) return fail("not_found");
    const outcome = await tokens.withToken((accessToken) =>
      platform.checkIn({ accessToken, blockId, position }),
    );
    await apply({ kind: "check_in_answered", blockId, outcome });
    return toCheckInResult(outcome);
  }
}

function toCheckInResult(outcome: CheckInOutcome): CheckInResult {
  switch (outcome.kind) {
    case "checked_in":
      return { ok: true, response: { outcome: "checked_in", block: outcome.block } };
    case "outside_geofence":
      return { ok: true, response: { outcome: "outside_geofence", distanceMeters: outcome.distanceMeters } };
    case "too_early":
      return { ok: true, response: { outcome: "too_early", opensAt: outcome.opensAt } };
    case "too_late":
    case "already_checked_in":
      return { ok: true, response: { outcome: outcome.kind } };
    case "block_not_found":
      return fail("not_found");
    case "signed_out":
      return fail("not_linked");
    case "verification_required":
      return fail("verification_required");
    case "rate_limited":
      return { ok: false, error: { code: "rate_limited", retryAt: outcome.retryAt } };
    case "unreachable":
    case "timeout":
    case "unreadable":
    case "refused":
      return fail("platform_unreachable");
  }
}

function fail(code: Exclude<CheckInError["code"], "rate_limited">): CheckInResult {
  return { ok: false, error: { code } };
}
