import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { hc } from "hono/client";
import type { DriverId } from "../../../db/shapes/units.ts";
import type { ConsoleApi } from "../../../worker/app.ts";
import {
  actResponse,
  actsResponse,
  meResponse,
  type ActResponse,
} from "../../../worker/contract/console/operators.ts";
import {
  citiesResponse,
  pricePreview,
  pricesResponse,
  raffleListResponse,
} from "../../../worker/contract/console/operator-deployment.ts";
import type {
  DeploymentAct,
  DriverAct,
  NewListPrice,
} from "../../../worker/contract/console/operator-acts.ts";
import {
  driverLiveResponse,
  driverPage,
  driverSearchResponse,
} from "../../../worker/contract/console/operator-drivers.ts";
import {
  exportResponse,
  type ExportOrder,
  type ExportResponse,
} from "../../../worker/contract/console/operator-exports.ts";
import {
  disputesInList,
  moneyResponse,
  paymentsInList,
  refundsInList,
  type MoneyQuery,
} from "../../../worker/contract/console/operator-money.ts";
import {
  fleetDriversResponse,
  fleetResponse,
  type FleetListName,
  type FleetSpan,
} from "../../../worker/contract/console/fleet.ts";
import { limitsResponse } from "../../../worker/contract/console/limits.ts";
import { cityHoursResponse, type CitiesSpan } from "../../../worker/contract/console/cities.ts";
import { journalResponse } from "../../../worker/contract/console/operator-books.ts";
import { requestsResponse, type DecisionInput } from "../../../worker/contract/console/requests.ts";
import { raffle } from "../../../worker/contract/money/raffles.ts";
import {
  errorsResponse,
  operatorAnnouncements,
  operatorFeedback,
} from "../../../worker/contract/console/voice.ts";
import { currentBookmark, saveBookmark } from "../../api/client/bookmark.ts";
import { atOwnPace } from "../../api/client/full-jitter.ts";
import { parseResponse, request } from "../../api/client/request.ts";

const LIVE_MS = atOwnPace(5_000);
const FLEET_MS = atOwnPace(15_000);
const CITIES_MS = atOwnPace(60_000);

const BOOKMARK_HEADER = "x-d1-bookmark";

/** The console's API. Cloudflare Access knows the operator by a cookie. */
const api = hc<ConsoleApi>("/", {
  fetch: async (input: RequestInfo | URL, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    const bookmark = currentBookmark();
    if (bookmark !== null) headers.set(BOOKMARK_HEADER, bookmark);
    // Where the session has ended, Access answers with a redirect to its sign-in.
    const response = await request(input, { ...init, headers, redirect: "manual" });
    saveBookmark(response.headers.get(BOOKMARK_HEADER));
    return response;
  },
}).ops.v1;

export const meQuery = queryOptions({
  queryKey: ["me"],
  queryFn: async () => parseResponse(meResponse, await api.me.$get()),
});

/** The states of all drivers' objects, polled while the page is visible. */
export function fleetQuery(span: FleetSpan) {
  return queryOptions({
    queryKey: ["fleet", span],
    queryFn: async () => parseResponse(fleetResponse, await api.fleet.$get({ query: { span } })),
    refetchInterval: FLEET_MS,
    staleTime: 0,
  });
}

/** Each city's hours, polled while the page is visible. */
export function cityHoursQuery(span: CitiesSpan) {
  return queryOptions({
    queryKey: ["city-hours", span],
    queryFn: async () => parseResponse(cityHoursResponse, await api.fleet.cities.$get({ query: { span } })),
    refetchInterval: CITIES_MS,
    staleTime: 0,
  });
}

export function fleetDriversQuery(list: FleetListName) {
  return queryOptions({
    queryKey: ["fleet-drivers", list],
    queryFn: async () =>
      parseResponse(fleetDriversResponse, await api.fleet.drivers.$get({ query: { in: list } })),
    refetchInterval: FLEET_MS,
    staleTime: 0,
  });
}

export function searchQuery(q: string) {
  return queryOptions({
    queryKey: ["search", q],
    queryFn: async () => parseResponse(driverSearchResponse, await api.drivers.$get({ query: { q } })),
    staleTime: 0,
  });
}

export function driverQuery(id: DriverId) {
  return queryOptions({
    queryKey: ["driver", id],
    queryFn: async () => parseResponse(driverPage, await api.drivers[":id"].$get({ param: { id } })),
    staleTime: 0,
  });
}

/** The state of the driver's object, polled every few seconds. */
export function liveQuery(id: DriverId) {
  return queryOptions({
    queryKey: ["live", id],
    queryFn: async () =>
      parseResponse(driverLiveResponse, await api.drivers[":id"].live.$get({ param: { id } })),
    refetchInterval: LIVE_MS,
    staleTime: 0,
  });
}

export const feedbackListQuery = infiniteQueryOptions({
  queryKey: ["feedback"],
  queryFn: async ({ pageParam }) =>
    parseResponse(
      operatorFeedback,
      await api.feedback.$get({ query: pageParam === null ? {} : { cursor: pageParam } }),
    ),
  initialPageParam: null as string | null,
  getNextPageParam: ({ cursor }) => cursor,
  staleTime: 0,
});

export const errorsQuery = queryOptions({
  queryKey: ["errors"],
  queryFn: async () => parseResponse(errorsResponse, await api.errors.$get()),
  staleTime: 0,
});

export const announcementListQuery = queryOptions({
  queryKey: ["announcements"],
  queryFn: async () => parseResponse(operatorAnnouncements, await api.announcements.$get()),
  refetchInterval: FLEET_MS,
  staleTime: 0,
});

export const actsQuery = infiniteQueryOptions({
  queryKey: ["acts"],
  queryFn: async ({ pageParam }) =>
    parseResponse(
      actsResponse,
      await api.acts.$get({ query: pageParam === null ? {} : { cursor: pageParam } }),
    ),
  initialPageParam: null as string | null,
  getNextPageParam: ({ cursor }) => cursor,
  staleTime: 0,
});

/** The result of some days. */
export function moneyQuery(days: MoneyQuery) {
  return queryOptions({
    queryKey: ["money", days],
    queryFn: async () => parseResponse(moneyResponse, await api.money.$get({ query: days })),
    staleTime: 0,
  });
}

/** The books of some days in UTC, which owners see. */
export function journalQuery({ from, to }: { from: string; to: string }) {
  return queryOptions({
    queryKey: ["journal", from, to],
    queryFn: async () => parseResponse(journalResponse, await api.journal.$get({ query: { from, to } })),
    staleTime: 0,
  });
}

export function paymentsQuery(days: MoneyQuery) {
  return infiniteQueryOptions({
    queryKey: ["payments", days],
    queryFn: async ({ pageParam }) =>
      parseResponse(paymentsInList, await api.money.payments.$get({ query: pageOf(days, pageParam) })),
    ...PAGES,
  });
}

export function refundsQuery(days: MoneyQuery) {
  return infiniteQueryOptions({
    queryKey: ["refunds", days],
    queryFn: async ({ pageParam }) =>
      parseResponse(refundsInList, await api.money.refunds.$get({ query: pageOf(days, pageParam) })),
    ...PAGES,
  });
}

const PAGES = {
  initialPageParam: null as string | null,
  getNextPageParam: ({ cursor }: { cursor: string | null }) => cursor,
  staleTime: 0,
};

function pageOf(days: MoneyQuery, cursor: string | null) {
  return cursor === null ? days : { ...days, cursor };
}

export function disputesQuery(days: MoneyQuery) {
  return queryOptions({
    queryKey: ["disputes", days],
    queryFn: async () => parseResponse(disputesInList, await api.money.disputes.$get({ query: days })),
    staleTime: 0,
  });
}

/** The rows of a table for a file. */
export async function postExport(key: string, order: ExportOrder): Promise<ExportResponse> {
  const response = await api.exports.$post({ header: { "idempotency-key": key }, json: order });
  return parseResponse(exportResponse, response);
}

export const pricesQuery = queryOptions({
  queryKey: ["prices"],
  queryFn: async () => parseResponse(pricesResponse, await api.prices.$get()),
  staleTime: 0,
});

/** The future prices for drivers if a list price were set: a preview that writes nothing. */
export function pricePreviewQuery({ plan, priceCents, startsAt }: NewListPrice) {
  return queryOptions({
    queryKey: ["price-preview", plan, priceCents, startsAt],
    queryFn: async () => {
      const query = { plan, priceCents: String(priceCents) };
      const at = startsAt === null ? {} : { startsAt: String(startsAt) };
      return parseResponse(pricePreview, await api.prices.preview.$get({ query: { ...query, ...at } }));
    },
    staleTime: 0,
    retry: false,
  });
}

export const raffleListQuery = queryOptions({
  queryKey: ["raffles"],
  queryFn: async () => parseResponse(raffleListResponse, await api.raffles.$get()),
  staleTime: 0,
});

/** A raffle's public part. */
export function publishedRaffleQuery(id: string) {
  return queryOptions({
    queryKey: ["raffle", id],
    queryFn: async () => parseResponse(raffle, await request(`/status/raffles/${encodeURIComponent(id)}`)),
    staleTime: 0,
  });
}

/** The limits that operators reached in the last day, for owners. */
export const limitsQuery = queryOptions({
  queryKey: ["limits"],
  queryFn: async () => parseResponse(limitsResponse, await api.limits.$get()),
});

/** Acts that wait for an owner's yes, and the latest that are decided. */
export const requestsQuery = queryOptions({
  queryKey: ["requests"],
  queryFn: async () => parseResponse(requestsResponse, await api.requests.$get()),
  refetchInterval: FLEET_MS,
  staleTime: 0,
});

/** Decides a request. */
export async function postDecision(key: string, id: string, decision: DecisionInput): Promise<ActResponse> {
  const response = await api.requests[":id"].$post({
    param: { id },
    header: { "idempotency-key": key },
    json: decision,
  });
  return parseResponse(actResponse, response);
}

export const citiesQuery = queryOptions({
  queryKey: ["cities"],
  queryFn: async () => parseResponse(citiesResponse, await api.cities.$get()),
  staleTime: 0,
});

/** Does an act on the whole deployment. */
export async function postDeploymentAct(key: string, act: DeploymentAct): Promise<ActResponse> {
  const response = await api.acts.$post({ header: { "idempotency-key": key }, json: act });
  return parseResponse(actResponse, response);
}

/** Does an act. The key is the same one when it is sent again. */
export async function postAct(id: DriverId, key: string, act: DriverAct): Promise<ActResponse> {
  const response = await api.drivers[":id"].acts.$post({
    param: { id },
    header: { "idempotency-key": key },
    json: act,
  });
  return parseResponse(actResponse, response);
}
