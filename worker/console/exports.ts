import { always } from "../../db/queries/operators/acts.ts";
import type { ActFacts } from "../../db/shapes/operators.ts";
import { sha256Hex } from "../../db/shapes/sha256-hex.ts";
import { DAY_MS } from "../../db/shapes/units.ts";
import { ApiError } from "../http/errors/api-error.ts";
import { EXPORT_LIMIT, type ExportOrder, type ExportResponse } from "../contract/console/operator-exports.ts";
import { listActPage } from "./act-log.ts";
import { loadRecord } from "./act-plans.ts";
import { performAct, type ConsoleContext } from "./acts.ts";
import { listCities } from "./deployment-acts.ts";
import { searchDrivers } from "./driver-page.ts";
import { listFleetDrivers } from "./fleet.ts";
import { listDisputesOf, listPayments, listRefunds } from "./money.ts";
import { listCommentPage } from "./voice.ts";

const NO_ROWS: ExportResponse = {
  isCut: false,
  payments: [],
  refunds: [],
  disputes: [],
  drivers: [],
  acts: [],
  cities: [],
  fleet: [],
  comments: [],
};

/** A file counts for a day. After that its key gives no newer one. */
const KEY_HOLDS_MS = DAY_MS;

/**
 * A table for a file, from the query of its screen, with a line in the log before anybody has it.
 * @param key the act's idempotency key: the same file again is no other export
 * @throws {ApiError} `forbidden` for one more than a day allows, `conflict` for one of another day
 */
export async function exportTable(
  context: ConsoleContext,
  key: string,
  order: ExportOrder,
): Promise<ExportResponse> {
  const { table, reason, ...query } = order;
  const driverId = order.table === "driver" ? order.driver : null;
  if (driverId !== null) await loadRecord(context, driverId);
  const rows = await loadRows(context, order);
  // Of each query another one, so that a key gets one file. Nobody finds the query by it, since the log has no key.
  const id = await sha256Hex(JSON.stringify([key, table, query]));
  // A search term may name a driver: the log omits it.
  const what: ActFacts = order.table === "driver" ? { table, part: order.part } : { table };
  const asked = { id, act: "export" as const, driverId, what, reason };
  const { act } = await performAct(context, asked, async () => ({
    before: {},
    after: {},
    worthCents: 0,
    condition: always,
    effects: () => [],
  }));
  if (context.deps.now() - act.at > KEY_HOLDS_MS) throw new ApiError("conflict");
  return { ...NO_ROWS, ...rows };
}

async function loadRows(context: ConsoleContext, order: ExportOrder): Promise<Partial<ExportResponse>> {
  switch (order.table) {
    case "payments": {
      const { rows: payments, cursor } = await listPayments(context, order, EXPORT_LIMIT);
      return { payments, isCut: cursor !== null };
    }
    case "refunds": {
      const { rows: refunds, cursor } = await listRefunds(context, order, EXPORT_LIMIT);
      return { refunds, isCut: cursor !== null };
    }
    case "disputes": {
      const { rows: disputes, hasMore } = await listDisputesOf(context, order, EXPORT_LIMIT);
      return { disputes, isCut: hasMore };
    }
    case "drivers": {
      const { drivers, hasMore } = await searchDrivers(context, order.q, EXPORT_LIMIT);
      return { drivers, isCut: hasMore };
    }
    case "acts": {
      const { acts, cursor } = await listActPage(context.db, {}, EXPORT_LIMIT);
      return { acts, isCut: cursor !== null };
    }
    case "fleet": {
      const { drivers: fleet, hasMore } = await listFleetDrivers(context, order.in, EXPORT_LIMIT);
      return { fleet, isCut: hasMore };
    }
    case "comments": {
      const { comments, cursor } = await listCommentPage(context, undefined, EXPORT_LIMIT);
      return { comments, isCut: cursor !== null };
    }
    case "cities":
      return listCities(context);
    case "driver":
      return {};
  }
}
