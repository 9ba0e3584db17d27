import { QueryClient } from "@tanstack/react-query";
import { isRedirect } from "@tanstack/react-router";
import { beforeEach, expect, it } from "vitest";
import { weekQuery } from "../../../web/api/queries/statistics.ts";
import { Route } from "../../../web/routes/flex/week.tsx";
import { scriptNetwork, storeSession } from "../../support/scripted-network.ts";

beforeEach(() => storeSession(localStorage));

const MONDAY = "2026-06-01";
const NOTHING = { captured: { blocks: 0, payCents: 0 }, worked: { blocks: 0, minutes: 0, payCents: 0 } };
const WEEK = {
  monday: MONDAY,
  currency: "USD",
  figures: NOTHING,
  before: null,
  knownFrom: null,
  mondays: [],
};

/** Where a message leads whose week was read with a change, which has been made since, or not. */
async function follow({ isMade }: { isMade: boolean }) {
  const { answer } = scriptNetwork();
  answer({ [`GET /flex/v1/week?date=${MONDAY}`]: { body: { ...WEEK, best: null } } });
  const queryClient = new QueryClient();
  const { queryKey } = weekQuery(MONDAY);
  queryClient.setQueryData(queryKey, { ...WEEK, best: { change: {} } } as never);
  if (isMade) await queryClient.invalidateQueries({ queryKey });
  const { loader } = Route.options;
  if (typeof loader !== "function") throw new Error("the screen loads nothing");
  const deps = { date: undefined, tried: MONDAY };
  const thrown: unknown = await Promise.resolve(loader({ context: { queryClient }, deps } as never)).catch(
    (error: unknown) => error,
  );
  if (!isRedirect(thrown)) throw thrown;
  return thrown.options.to;
}

it("leads from a message to its change, but not to one that was made since", async () => {
  expect(await follow({ isMade: false })).toBe("/flex/filters");
  expect(await follow({ isMade: true })).toBe("/flex/week");
});
