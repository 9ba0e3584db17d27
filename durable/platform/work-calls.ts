import type { AcceptOutcome, CheckInOutcome } from "../engine/state/outcomes.ts";
import type { AttemptId, BlockId, Cents, DurationMs, EpochMs, OfferId } from "../../db/shapes/units.ts";
import type {
  BlocksResult,
  DriverResult,
  EarningsResult,
  ForfeitResult,
  OffersResult,
  Position,
  WarehousesResult,
} from "./results.ts";
import { createListOffers, type ListOffersInput } from "./list-offers.ts";
import { read, readItems } from "./drift.ts";
import { isForeignText, type PlatformRequester } from "./request.ts";
import { blocksJson, readBlock, readBlocks } from "./parse/block.ts";
import { earningItemReading, earningsReading } from "./parse/earnings.ts";
import { driverReading } from "./parse/platform-driver.ts";
import { isRefusal } from "./parse/problem.ts";
import { warehouseReading, warehousesJson } from "./parse/warehouse.ts";

/** The calls tagged `work` in platform.openapi.yaml: offers, blocks, check-in, earnings. None of them throws. */
export type WorkCalls = {
  readDriver(input: { accessToken: string }): Promise<DriverResult>;
  /** Malformed warehouses are left out and counted. */
  listWarehouses(input: { accessToken: string }): Promise<WarehousesResult>;
  /**
   * The offers that are open now; malformed ones are left out and counted. Without ids, or with more than fit in
   * the contract's 4096 characters, it asks for all of the driver's offers: the engine judges each one anyway.
   * The client requests a list that is longer than we read, or than the platform lists, in parts, each a call. `unchanged` is
   * possible only if an `etag` is passed.
   */
  listOffers(input: ListOffersInput): Promise<OffersResult>;
  /** Accepts an offer. Safe to repeat with the same `attemptId` for 24 hours. A 2xx is a win, whatever its body says. */
  acceptOffer(input: {
    accessToken: string;
    offerId: OfferId;
    attemptId: AttemptId;
    payAtLeastCents: Cents;
  }): Promise<AcceptOutcome>;
  /** The blocks that start in [from, to), 62 days at most. Of each, whatever could be read. */
  listBlocks(input: { accessToken: string; from: EpochMs; to: EpochMs }): Promise<BlocksResult>;
  /** Gives a block back. Part of the contract, but never called: only drivers give blocks back, by hand. */
  forfeitBlock(input: { accessToken: string; blockId: BlockId }): Promise<ForfeitResult>;
  /** Checks the driver in with the position that their own device measured, never with any other. */
  checkIn(input: { accessToken: string; blockId: BlockId; position: Position }): Promise<CheckInOutcome>;
  /** Earnings of the blocks that started in [from, to), 62 days at most. */
  readEarnings(input: { accessToken: string; from: EpochMs; to: EpochMs }): Promise<EarningsResult>;
};

/** The work calls, each with its own time limit. */
export function createWorkCalls(
  request: PlatformRequester,
  limits: { pollMs: DurationMs; acceptMs: DurationMs; otherMs: DurationMs },
): WorkCalls {
  const timeoutMs = limits.otherMs;
  const blockPath = (blockId: BlockId) => `/v1/blocks/${encodeURIComponent(blockId)}`;

  return {
    readDriver: ({ accessToken }) =>
      request<DriverResult>({
        call: "readDriver",
        method: "GET",
        path: "/v1/driver",
        accessToken,
        timeoutMs,
        parse: ({ json, note }) => {
          const driver = read(driverReading, json, note);
          return driver ? { kind: "driver", driver } : null;
        },
      }),

    listWarehouses: ({ accessToken }) =>
      request<WarehousesResult>({
        call: "listWarehouses",
        method: "GET",
        path: "/v1/warehouses",
        accessToken,
        timeoutMs,
        parse: ({ json, note }) => {
          const data = read({ strict: warehousesJson, generous: warehousesJson }, json, note);
          if (!data) return null;
          const { items, skipped } = readItems(warehouseReading, {
            items: data.warehouses,
            list: "warehouses",
            note,
          });
          return { kind: "warehouses", warehouses: items, skipped };
        },
      }),

    listOffers: createListOffers(request, limits.pollMs),

    acceptOffer: ({ accessToken, offerId, attemptId, payAtLeastCents }) =>
      request<AcceptOutcome>({
        call: "acceptOffer",
        method: "POST",
        path: `/v1/offers/${encodeURIComponent(offerId)}/accept`,
        accessToken,
        headers: { "idempotency-key": attemptId },
        body: { payAtLeast: payAtLeastCents },
        timeoutMs: limits.acceptMs,
        parse: (received) => {
          // A page of text is an answer of whatever stands before the platform, and a refusal with a 2xx contradicts itself:
          // the same key asks again.
          if (isForeignText(received)) return null;
          const { json, note } = received;
          const block = readBlock(json, note);
          if (!block?.blockId && isRefusal(json)) return null;
          if (block?.offerId && block.offerId !== offerId) note("offerId");
          return { kind: "won", block };
        },
        parseRefusal: ({ code, block }) => {
          switch (code) {
            case "offer_gone":
            case "overlap":
            case "weekly_limit":
            case "pay_changed":
              return { kind: "lost", reason: code };
            case "already_yours":
              return { kind: "already_yours", block };
            default:
              return null;
          }
        },
      }),

    listBlocks: ({ accessToken, from, to }) =>
      request<BlocksResult>({
        call: "listBlocks",
        method: "GET",
        path: "/v1/blocks",
        query: rangeQuery(from, to),
        accessToken,
        timeoutMs,
        parse: ({ json, note }) => {
          const data = read({ strict: blocksJson, generous: blocksJson }, json, note);
          return data ? { kind: "blocks", ...readBlocks(data.blocks, note) } : null;
        },
      }),

    forfeitBlock: ({ accessToken, blockId }) =>
      request<ForfeitResult>({
        call: "forfeitBlock",
        method: "DELETE",
        path: blockPath(blockId),
        accessToken,
        timeoutMs,
        parse: (received) => {
          if (isForeignText(received)) return null;
          if (received.status !== 204) received.note("status");
          return { kind: "forfeited" };
        },
        parseRefusal: ({ code }, status) => {
          if (code === "too_late") return { kind: "too_late" };
          return isMissing(code, status) ? { kind: "block_not_found" } : null;
        },
      }),

    checkIn: ({ accessToken, blockId, position: { observedAt, ...place } }) =>
      request<CheckInOutcome>({
        call: "checkIn",
        method: "POST",
        path: `${blockPath(blockId)}/check-in`,
        accessToken,
        body: { ...place, observedAt: new Date(observedAt).toISOString() },
        timeoutMs,
        parse: (received) => {
          if (isForeignText(received)) return null;
          const { json, note } = received;
          const block = readBlock(json, note);
          if (block?.blockId && block.blockId !== blockId) note("blockId");
          return { kind: "checked_in", block };
        },
        parseRefusal: ({ code, distanceMeters, opensAt }, status) => {
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
      request<EarningsResult>({
        call: "readEarnings",
        method: "GET",
        path: "/v1/earnings",
        query: rangeQuery(from, to),
        accessToken,
        timeoutMs,
        parse: ({ json, note }) => {
          const data = read(earningsReading, json, note);
          if (!data) return null;
          const { items, skipped } = readItems(earningItemReading, {
            items: data.items,
            list: "items",
            note,
          });
          return { kind: "earnings", earnings: { ...data, items }, skipped };
        },
      }),
  };
}

function rangeQuery(from: EpochMs, to: EpochMs): Record<string, string> {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

function isMissing(code: string, status: number): boolean {
  return status === 404 || code === "block_not_found";
}
