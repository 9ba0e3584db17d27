import type { Quota } from "../quota/quota.ts";
import type { FailureCause } from "../../../db/shapes/fleet.ts";
import type { Block, Offer } from "../../../db/shapes/work/offer.ts";
import type { EpochMs, WarehouseId } from "../../../db/shapes/units.ts";

/** The readable part of a block of the driver's: fields that could not be read are null. */
export type PartialBlock = Pick<Block, "status" | "checkedInAt"> & {
  [Field in Exclude<keyof Block, "status" | "checkedInAt">]: Block[Field] | null;
};

/** How any platform call can fail. */
export type PlatformFailure =
  | { kind: "rate_limited"; retryAt: EpochMs | null }
  /** The platform refused the refresh token, or there is none. For a single response: it refused the access token. */
  | ({ kind: "signed_out" } & StatedWait)
  | { kind: "verification_required"; url: string | null }
  /** 5xx, no connection (for `cause`, where that is known), or tokens that can't be used for now. */
  | ({ kind: "unreachable"; cause?: FailureCause } & StatedWait)
  | { kind: "timeout" }
  /** `quota`: what its headers say of a poll's, if they do. */
  | ({ kind: "unreadable"; quota?: Quota } & StatedWait)
  /** A 4xx that we don't know. */
  | ({ kind: "refused"; status: number } & StatedWait);

/** `retryAt` is the end of the wait that the platform stated with `Retry-After`, if it did. */
type StatedWait = { retryAt?: EpochMs };

export type PollOutcome =
  /**
   * `partOf`: the warehouses whose offers these are, if only some of the requested ones could be read. `skipped`: how many
   * listed offers could not be read.
   */
  | {
      kind: "offers";
      offers: readonly Offer[];
      skipped?: number;
      quota: Quota | null;
      etag: string | null;
      partOf?: readonly WarehouseId[];
    }
  | { kind: "unchanged"; quota: Quota | null }
  | PlatformFailure;

export type AcceptOutcome =
  /** A 2xx, whatever else it said. */
  | { kind: "won"; block: PartialBlock | null }
  | { kind: "already_yours"; block: PartialBlock | null }
  | { kind: "lost"; reason: "offer_gone" | "overlap" | "weekly_limit" | "pay_changed" }
  /** Not sent: the driver's switch, filters or service changed before the call could leave. */
  | { kind: "withdrawn" }
  | PlatformFailure;

/** The outcome of a check-in. Nullable fields are null if the platform leaves them out. */
export type CheckInOutcome =
  | { kind: "checked_in"; block: PartialBlock | null }
  | { kind: "outside_geofence"; distanceMeters: number | null }
  | { kind: "too_early"; opensAt: EpochMs | null }
  | { kind: "too_late" }
  | { kind: "already_checked_in" }
  | { kind: "block_not_found" }
  | PlatformFailure;

/** Whether the driver must still verify themselves. */
export type VerificationOutcome = { kind: "verification"; required: boolean } | PlatformFailure;

/** Everything that the platform lists, as far as it could be read. */
export type BlocksOutcome = { kind: "blocks"; blocks: readonly PartialBlock[] } | PlatformFailure;
