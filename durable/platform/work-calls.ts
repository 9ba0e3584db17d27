import type { AcceptOutcome, BlocksOutcome, CheckInOutcome } from "../engine/types.ts";
import type {
  AttemptId,
  BlockId,
  Cents,
  DurationMs,
  EpochMs,
  OfferId,
  WarehouseId,
} from "../engine/units.ts";
import type {
  DriverAnswer,
  EarningsAnswer,
  ForfeitAnswer,
  OffersAnswer,
  Position,
  WarehousesAnswer,
} from "./answers.ts";
import type { Caller } from "./call.ts";
import { readQuota } from "./headers.ts";
import {
  blockJson,
  blocksJson,
  driverJson,
  earningsJson,
  keepReadable,
  offerJson,
  offersJson,
  warehouseJson,
  warehousesJson,
} from "./parse.ts";

/** The contract's limit on `warehouseIds`. */
const LONGEST_SELECTION = 4096;

/** The work itself: the calls tagged `work` in platform.openapi.yaml. None of them throws. */
export type WorkCalls = {
  readDriver(input: { accessToken: string }): Promise<DriverAnswer>;
  /** A warehouse that can't be read is left out and counted. */
  listWarehouses(input: { accessToken: string }): Promise<WarehousesAnswer>;
  /**
   * The offers open now; one that can't be read is left out and counted. No ids, or more than fit
   * the contract's 4096 characters, ask for all of the driver's: the engine judges each anyway.
   * `unchanged` comes only where an `etag` was given.
   */
  listOffers(input: {
    accessToken: string;
    warehouseIds: readonly WarehouseId[];
    etag: string | null;
  }): Promise<OffersAnswer>;
  /** Takes an offer. Safe to repeat with the same `attemptId` for 24 hours. */
  acceptOffer(input: {
    accessToken: string;
    offerId: OfferId;
    attemptId: AttemptId;
    payAtLeastCents: Cents;
  }): Promise<AcceptOutcome>;
  /** The blocks that start in [from, to), 62 days at most. One that can't be read makes all `unreadable`. */
  listBlocks(input: { accessToken: string; from: EpochMs; to: EpochMs }): Promise<BlocksOutcome>;
  /** Gives a block back. Part of the contract; nothing in Jornada calls it (DESIGN 1). */
  forfeitBlock(input: { accessToken: string; blockId: BlockId }): Promise<ForfeitAnswer>;
  /** Says that the driver has arrived, with what the driver's own device measured, never anything else. */
  checkIn(input: { accessToken: string; blockId: BlockId; position: Position }): Promise<CheckInOutcome>;
  /** What the blocks that started in [from, to) earned, 62 days at most. */
  readEarnings(input: { accessToken: string; from: EpochMs; to: EpochMs }): Promise<EarningsAnswer>;
};

/** The calls of the work over a caller, each within its own limit. */
export function createWorkCalls(
  call: Caller,
  limits: { pollMs: DurationMs; acceptMs: DurationMs; otherMs: DurationMs },
): WorkCalls {
  const limitMs = limits.otherMs;
  const ownBlock = (blockId: BlockId) => `/v1/blocks/${encodeURIComponent(blockId)}`;

  return {
    readDriver: ({ accessToken }) =>
      call<DriverAnswer>({
        method: "GET",
        path: "/v1/driver",
        accessToken,
        limitMs,
        read: ({ json }) => {
          const { data } = driverJson.safeParse(json);
          return data ? { kind: "driver", driver: data } : null;
        },
      }),

    listWarehouses: ({ accessToken }) =>
      call<WarehousesAnswer>({
        method: "GET",
        path: "/v1/warehouses",
        accessToken,
        limitMs,
        read: ({ json }) => {
          const { data } = warehousesJson.safeParse(json);
          if (!data) return null;
          const { items, skipped } = keepReadable(warehouseJson, data.warehouses);
          return { kind: "warehouses", warehouses: items, skipped };
        },
      }),

    listOffers: ({ accessToken, warehouseIds, etag }) => {
      const selection = warehouseIds.join(",");
      const fits = selection !== "" && selection.length <= LONGEST_SELECTION;
      return call<OffersAnswer>({
        method: "GET",
        path: "/v1/offers",
        ...(fits ? { query: { warehouseIds: selection } } : {}),
        ...(etag === null ? {} : { headers: { "if-none-match": etag } }),
        accessToken,
        limitMs: limits.pollMs,
        read: ({ status, headers, json, now }) => {
          const quota = readQuota(headers, now);
          if (status === 304) return etag === null ? null : { kind: "unchanged", quota };
          const { data } = offersJson.safeParse(json);
          if (!data) return null;
          const { items, skipped } = keepReadable(offerJson, data.offers);
          return { kind: "offers", offers: items, quota, etag: headers.get("etag"), skipped };
        },
      });
    },

    acceptOffer: ({ accessToken, offerId, attemptId, payAtLeastCents }) =>
      call<AcceptOutcome>({
        method: "POST",
        path: `/v1/offers/${encodeURIComponent(offerId)}/accept`,
        accessToken,
        headers: { "idempotency-key": attemptId },
        body: { payAtLeast: payAtLeastCents },
        limitMs: limits.acceptMs,
        read: ({ json }) => {
          const { data } = blockJson.safeParse(json);
          return data?.offerId === offerId ? { kind: "won", block: data } : null;
        },
        refusal: ({ code, block }) => {
          switch (code) {
            case "offer_gone":
            case "overlap":
            case "weekly_limit":
            case "pay_changed":
              return { kind: "lost", reason: code };
            case "already_yours":
              return { kind: "already_yours", block: block?.offerId === offerId ? block : null };
            default:
              return null;
          }
        },
      }),

    listBlocks: ({ accessToken, from, to }) =>
      call<BlocksOutcome>({
        method: "GET",
        path: "/v1/blocks",
        query: spanQuery(from, to),
        accessToken,
        limitMs,
        read: ({ json }) => {
          const { data } = blocksJson.safeParse(json);
          return data ? { kind: "blocks", blocks: data.blocks } : null;
        },
      }),

    forfeitBlock: ({ accessToken, blockId }) =>
      call<ForfeitAnswer>({
        method: "DELETE",
        path: ownBlock(blockId),
        accessToken,
        limitMs,
        read: ({ status }) => (status === 204 ? { kind: "forfeited" } : null),
        refusal: ({ code }, status) => {
          if (code === "too_late") return { kind: "too_late" };
          return isMissing(code, status) ? { kind: "block_not_found" } : null;
        },
      }),

    checkIn: ({ accessToken, blockId, position: { observedAt, ...place } }) =>
      call<CheckInOutcome>({
        method: "POST",
        path: `${ownBlock(blockId)}/check-in`,
        accessToken,
        body: { ...place, observedAt: new Date(observedAt).toISOString() },
        limitMs,
        read: ({ json }) => {
          const { data } = blockJson.safeParse(json);
          return data?.blockId === blockId ? { kind: "checked_in", block: data } : null;
        },
        refusal: ({ code, distanceMeters, opensAt }, status) => {
          switch (code) {
            case "outside_geofence":
              return { kind: "outside_geofence", distanceMeters };
            case "too_early":
              return { kind: "too_early", opensAt };
            case "too_late":
            case "already_checked_in":
              return { kind: code };
            default:
              return isMissing(code, status) ? { kind: "block_not_found" } : null;
          }
        },
      }),

    readEarnings: ({ accessToken, from, to }) =>
      call<EarningsAnswer>({
        method: "GET",
        path: "/v1/earnings",
        query: spanQuery(from, to),
        accessToken,
        limitMs,
        read: ({ json }) => {
          const { data } = earningsJson.safeParse(json);
          return data ? { kind: "earnings", earnings: data } : null;
        },
      }),
  };
}

function spanQuery(from: EpochMs, to: EpochMs): Record<string, string> {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

function isMissing(code: string, status: number): boolean {
  return status === 404 || code === "block_not_found";
}
