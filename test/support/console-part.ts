import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import type { ActResponse, MeResponse } from "../../worker/contract/console/operators.ts";
import { OperatorContext } from "../../web/console/calls/operator.ts";
import { textsIn } from "./html-text.ts";

export const OWNER: MeResponse = {
  operator: { name: "olga@ops.test", role: "owner" },
  productName: "Jornada",
  currency: "USD",
  supportLimitCents: 5_000,
  hasOwnPool: true,
};
export const SUPPORT: MeResponse = { ...OWNER, operator: { ...OWNER.operator, role: "support" } };

/** The server's response to an act that it has done. */
export const DONE: ActResponse = {
  status: "done",
  act: {
    id: "a1",
    at: 0,
    operator: OWNER.operator.name,
    role: "owner",
    act: "list_price",
    driverId: null,
    what: {},
    reason: "As agreed",
    before: {},
    after: {},
  },
};

/** A query that has been answered. */
export type Answered = [key: readonly unknown[], data: unknown];

/** Renders a part of the console as an operator reads it, a line for each text. */
export function readPart(part: ReactNode, answered: readonly Answered[] = [], me = OWNER): string[] {
  return textsIn(htmlOf(part, answered, me));
}

/** The HTML of a part of the console, whose queries have been answered. */
export function htmlOf(part: ReactNode, answered: readonly Answered[] = [], me = OWNER): string {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, gcTime: Infinity } } });
  for (const [key, data] of answered) client.setQueryData(key, data);
  const signedIn = createElement(OperatorContext, { value: me }, part);
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, signedIn));
}

/** `4:30 PM`, where the operator is. */
export function clockAt(at: number): string {
  const time = new Date(at).toLocaleTimeString("en-US", { hour: "numeric", minute: "2-digit" });
  return time.replaceAll(/\s/gu, " ");
}
