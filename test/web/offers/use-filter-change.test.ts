import type { QueryClient } from "@tanstack/react-query";
import { useQueryClient } from "@tanstack/react-query";
import { createElement, useState } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { RequestError } from "../../../web/api/client/request-error.ts";
import * as filters from "../../../web/api/queries/filters.ts";
import { sessionStore } from "../../../web/api/session/session.ts";
import * as saving from "../../../web/features/offers/save-filter-change.ts";
import { useFilterChange } from "../../../web/features/offers/use-filter-change.ts";
import { BETHPAGE, makeFilters } from "../../engine/fixtures.ts";
import { htmlOfPart } from "../../support/page-part.ts";

afterEach(() => {
  vi.restoreAllMocks();
  // With its end the change is forgotten.
  sessionStore.setState(() => null);
  sessionStore.setState(() => undefined);
});

type Changing = ReturnType<typeof useFilterChange>;

const CHANGE = { kind: "min_price", warehouseId: BETHPAGE, cents: 4_000 } as const;
const PREVIOUS = makeFilters({});
const MADE = { change: CHANGE, previous: PREVIOUS, version: 8 };
const answerOf = (version: number) => ({ complete: true, filters: makeFilters({}), version });

/** The state that a screen is given before and right after it does something with the filters. */
async function changing(act: (changing: Changing) => void = () => undefined) {
  const given: { changing: Changing; client: QueryClient }[] = [];
  const Part = () => {
    const [hasActed, setHasActed] = useState(false);
    const now = useFilterChange();
    given.push({ changing: now, client: useQueryClient() });
    if (!hasActed) {
      act(now);
      setHasActed(true);
    }
    return null;
  };
  await htmlOfPart(createElement(Part));
  const [before, after] = given;
  if (!before || !after) throw new Error("the part was not rendered twice");
  return { before: before.changing, after: after.changing, client: after.client };
}

async function makeChange() {
  vi.spyOn(saving, "saveFilterChange").mockResolvedValue({ answer: answerOf(8), made: MADE });
  const made = await changing(({ make }) => make(CHANGE));
  await expect.poll(async () => (await changing()).before.made).toEqual(MADE);
  return made;
}

it("is busy while a change is made, and shows what came of it", async () => {
  const { before, after, client } = await makeChange();
  expect([before.isPending, before.making]).toEqual([false, null]);
  expect([after.isPending, after.making]).toEqual([true, CHANGE]);
  expect(client.getQueryData(filters.filtersQuery.queryKey)).toEqual(answerOf(8));
});

it("is busy while a change is undone, by the filters before it and the version that it made", async () => {
  await makeChange();
  const put = vi.spyOn(filters, "putFilters").mockResolvedValue(answerOf(9));
  const { before, after, client } = await changing(({ undo }) => undo());
  expect([before.isPending, after.isPending, after.making]).toEqual([false, true, null]);
  await expect.poll(async () => (await changing()).before.made).toBeNull();
  expect(put.mock.calls).toEqual([[PREVIOUS, 8]]);
  expect(client.getQueryData(filters.filtersQuery.queryKey)).toEqual(answerOf(9));
});

it("undoes nothing where nothing was changed", async () => {
  const put = vi.spyOn(filters, "putFilters");
  const { after } = await changing(({ undo }) => undo());
  expect([after.isPending, put.mock.calls]).toEqual([false, []]);
});

it.each<[what: string, code: "stale_version" | "network", isKept: boolean]>([
  ["no longer offers an undo that would overwrite newer filters", "stale_version", false],
  ["offers an undo again that failed", "network", true],
])("%s", async (_what, code, isKept) => {
  await makeChange();
  vi.spyOn(filters, "putFilters").mockRejectedValue(new RequestError(0, code));
  await changing(({ undo }) => undo());
  // Longer than an answer that is at hand takes.
  await new Promise((resolve) => setImmediate(resolve));
  expect((await changing()).before.made).toEqual(isKept ? MADE : null);
});

it("forgets the change with the session", async () => {
  await makeChange();
  sessionStore.setState(() => null);
  expect((await changing()).before.made).toBeNull();
});
