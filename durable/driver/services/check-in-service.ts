import type {
  CheckInError,
  CheckInResult,
  DevicePosition,
  NextBlockResponse,
} from "../../../db/shapes/work/check-in.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import type { BlockId } from "../../../db/shapes/units.ts";
import { possibleNow, type CheckInObstacle } from "../../../db/shapes/work/possible-now.ts";
import type { Deps } from "../../deps.ts";
import { blockToCheckInto } from "../../engine/check-in.ts";
import { isLinked } from "../../engine/link.ts";
import type { CheckInOutcome } from "../../engine/state/outcomes.ts";
import type { EventLoop } from "../event-loop.ts";
import type { Machine } from "../machine.ts";

type CheckInDeps = { deps: Deps; machine: Machine; loop: EventLoop };

/** Finds the block to check in to, and checks in on the platform. */
export class CheckInService {
  readonly #deps: Deps;
  readonly #machine: Machine;
  readonly #loop: EventLoop;

  constructor({ deps, machine, loop }: CheckInDeps) {
    this.#deps = deps;
    this.#machine = machine;
    this.#loop = loop;
  }

  async nextBlock(): Promise<NextBlockResponse> {
    await this.#loop.settle({ kind: "arriving" });
    const obstacle = await this.#obstacle();
    const { held, warehouses } = this.#machine.state;
    const block = blockToCheckInto(held, this.#deps.now());
    const warehouse = warehouses.find(({ warehouseId }) => warehouseId === block?.warehouseId);
    return { block, warehouse: warehouse ?? null, obstacle };
  }

  /** Checks in with the position exactly as the device measured it. */
  async checkIn(blockId: BlockId, position: DevicePosition): Promise<CheckInResult> {
    const obstacle = await this.#obstacle();
    if (obstacle) return toCheckInError(obstacle);
    if (!this.#held(blockId)) await this.#loop.settle({ kind: "arriving" });
    const known = this.#held(blockId);
    if (!known) return fail("not_found");
    const { platform, now } = this.#deps;
    const outcome = await this.#loop.request(
      (accessToken) => platform.checkIn({ accessToken, blockId, position }),
      "checkIn",
    );
    this.#loop.dispatch({ kind: "check_in_answered", blockId, outcome });
    // A 2xx is a yes, also where the block left the list or the account was unlinked while the call was under way.
    return toCheckInResult(
      outcome,
      this.#held(blockId) ?? { ...known, status: "checked_in", checkedInAt: now() },
    );
  }

  /** The obstacle to a check-in, after asking once more whether they still have to verify themselves. */
  async #obstacle(): Promise<CheckInObstacle | null> {
    if (this.#machine.state.verification) await this.#loop.settle({ kind: "driver_returned" });
    const { state } = this.#machine;
    return possibleNow({ phase: state.phase, isLinked: isLinked(state) }, this.#deps.now()).checkInObstacle;
  }

  #held(blockId: BlockId): Block | undefined {
    return this.#machine.state.held.find((block) => block.blockId === blockId);
  }
}

/** `block` is the one that was checked in to. */
function toCheckInResult(outcome: CheckInOutcome, block: Block): CheckInResult {
  switch (outcome.kind) {
    case "checked_in":
      return { ok: true, response: { outcome: "checked_in", block } };
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
      return fail("platform_unreachable");
    case "refused":
      return fail("platform_refused");
  }
}

function toCheckInError(obstacle: CheckInObstacle): CheckInResult {
  return obstacle.kind === "wait"
    ? { ok: false, error: { code: "rate_limited", retryAt: obstacle.until } }
    : fail(obstacle.kind);
}

function fail(code: Exclude<CheckInError["code"], "rate_limited">): CheckInResult {
  return { ok: false, error: { code } };
}
