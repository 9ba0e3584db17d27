import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import {
  journalResponse,
  disputesInList,
  moneyResponse,
  paymentsInList,
  refundsInList,
  type MoneyQuery,
} from "../../../worker/contract/console/operator-money.ts";
import { parseResponse } from "../../api/client/request.ts";
import { api, PAGES } from "./api.ts";

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

export function disputesQuery(days: MoneyQuery) {
  return queryOptions({
    queryKey: ["disputes", days],
    queryFn: async () => parseResponse(disputesInList, await api.money.disputes.$get({ query: days })),
    staleTime: 0,
  });
}

function pageOf(days: MoneyQuery, cursor: string | null) {
  return cursor === null ? days : { ...days, cursor };
}
