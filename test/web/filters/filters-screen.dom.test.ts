import { act, screen, within } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { MAX_DATES, type DateException, type ExtraRule } from "../../../db/shapes/work/filters.ts";
import { dateOfDay, dayOfDate } from "../../../db/shapes/work/local-date.ts";
import { passedOverQuery } from "../../../web/api/queries/blocks.ts";
import { filtersQuery, warehousesQuery } from "../../../web/api/queries/filters.ts";
import { weekQuery } from "../../../web/api/queries/statistics.ts";
import { configQuery, userQuery } from "../../../web/api/queries/user.ts";
import { todayAt } from "../../../web/features/filters/dates/dates.ts";
import { restoreSession } from "../../../web/api/session/session.ts";
import { saveDraft } from "../../../web/features/filters/draft-store.ts";
import { toDraft } from "../../../web/features/filters/draft.ts";
import { FiltersScreen } from "../../../web/features/filters/filters-screen.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import type { User } from "../../../worker/contract/account/user.ts";
import type { FiltersResponse } from "../../../worker/contract/work/filters.ts";
import { makeExtraRule, makeFilters, makeWarehouse, makeWarehouseFilter } from "../../engine/fixtures.ts";
import { RECORD } from "../../support/driver-record.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { IDENTITY, refusalReply, scriptNetwork, storeSession } from "../../support/scripted-network.ts";
import { watchToasts } from "../../support/toasts.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => {
  storeSession(localStorage);
  // A draft is its driver's.
  restoreSession(IDENTITY, Date.now());
});
afterEach(() => saveDraft(null));

const PUT = "PUT /flex/v1/filters";
const GET = "GET /flex/v1/filters";
const [SUNDAYS, EVENINGS] = [
  makeExtraRule({ ruleId: "r1", name: "Sundays" }),
  makeExtraRule({ ruleId: "r2", name: "Evenings" }),
];

/** Saved filters with a minimum for every warehouse, and such rules beside Bethpage's first. */
function saved(
  version: number,
  { minHourlyCents = 2_000, extraRules = [] as ExtraRule[] } = {},
): FiltersResponse {
  const filters = makeFilters({ minHourlyCents, warehouses: [makeWarehouseFilter({ extraRules })] });
  return { complete: true, filters, version };
}

/** The screen of a driver who is set up, on a network that reaches nobody until more is scripted. */
async function openFilters(filters: FiltersResponse, driver: Partial<User> = { setupComplete: true }) {
  const network = scriptNetwork();
  network.answer({ "POST /flex/v1/filters/replay": "lost" });
  const toasts = watchToasts();
  const part = await renderPart(
    createElement(
      "main",
      { id: "content" },
      createElement(FiltersScreen, { proposed: null, onProposed: () => undefined }),
    ),
    {
      answered: [
        [configQuery.queryKey, { currency: "USD" }],
        [warehousesQuery.queryKey, { region: null, warehouses: [makeWarehouse()] }],
        [userQuery.queryKey, { ...RECORD, proxyInstalled: true, ...driver }],
        [filtersQuery.queryKey, filters],
      ],
      path: "/flex/filters",
    },
  );
  const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });
  const minimum = () => screen.getByLabelText<HTMLInputElement>("Minimum hourly pay");
  return {
    ...network,
    ...part,
    toasts,
    button,
    press: async (name: string) => part.user.click(await screen.findByRole("button", { name })),
    minimum,
    /** Types another minimum for every warehouse, in whole dollars. */
    demand: async (dollars: string) => {
      await part.user.clear(minimum());
      await part.user.type(minimum(), dollars);
    },
    /** The minimums that were saved, and over which version. */
    sent: () =>
      network.calls
        .filter(({ operation }) => operation === PUT)
        .map(({ body, headers }) => [body["minHourlyCents"], headers.get("if-match")]),
    bar: () => screen.queryByRole("region", { name: "Unsaved changes" }),
  };
}

it("takes the focus to the way back of each rule that is removed", async () => {
  const { press, user } = await openFilters(saved(7, { extraRules: [SUNDAYS, EVENINGS] }));
  await press("Edit filters for Bethpage (DNY4)");
  for (const { name } of [SUNDAYS, EVENINGS]) {
    await press(`Edit ${name}`);
    await press(`Remove ${name}`);
    const line = (await screen.findByText(`Removed: ${name}`)).parentElement;
    await expect.poll(() => line?.contains(document.activeElement)).toBe(true);
  }
  await user.keyboard("{Enter}");
  expect(await screen.findByRole("region", { name: "Evenings" })).toBeTruthy();
});

it("offers no removed rule again that came back as the changes were undone", async () => {
  const { press, user } = await openFilters(saved(7, { extraRules: [SUNDAYS] }));
  await press("Edit filters for Bethpage (DNY4)");
  await press("Edit Sundays");
  await press("Remove Sundays");
  await screen.findByText("Removed: Sundays");
  const bar = within(screen.getByRole("region", { name: "Unsaved changes" }));
  await user.click(bar.getByRole("button", { name: "Undo" }));
  expect(await screen.findAllByRole("region", { name: "Sundays" })).toHaveLength(1);
  expect(screen.queryByText("Removed: Sundays")).toBeNull();
});

it("saves a change over the version that it began from, once, and keeps what is changed meanwhile", async () => {
  const { answer, press, button, demand, minimum, sent, bar, toasts, cached } = await openFilters(saved(7));
  const arrival = Promise.withResolvers<void>();
  const first = saved(8, { minHourlyCents: 2_500 });
  answer({ [PUT]: [{ body: first, after: arrival.promise }, { body: saved(9, { minHourlyCents: 3_000 }) }] });
  await demand("25");
  await press("Save");
  expect(["Saving…", "Undo"].map((name) => button(name).getAttribute("aria-disabled"))).toEqual([
    "true",
    "true",
  ]);
  await demand("30");
  arrival.resolve();
  await expect.poll(toasts).toEqual([{ text: "Saved" }]);
  expect([minimum().value, cached(filtersQuery.queryKey)]).toEqual(["30", first]);
  await press("Save");
  await expect.poll(bar).toBeNull();
  expect(sent()).toEqual([
    [2_500, `"7"`],
    [3_000, `"8"`],
  ]);
  expect(minimum().value).toBe("30");
});

it.each(["$25", "1,250.5", "-5"])(
  "asks for an amount where %s is typed, which is no figure",
  async (text) => {
    const { demand, minimum } = await openFilters(saved(7));
    await demand(text);
    const noteId = minimum().getAttribute("aria-describedby") ?? "";
    expect(document.getElementById(noteId)?.textContent).toBe("Enter an amount, such as 22.5.");
  },
);

it("brings back what one tap has undone", async () => {
  const { press, demand, minimum, bar, toasts } = await openFilters(saved(7));
  await demand("25");
  await press("Undo");
  await expect.poll(bar).toBeNull();
  expect(minimum().value).toBe("20");
  await expect.poll(toasts).toMatchObject([{ text: "Changes undone", button: "Bring back" }]);
  act(() => toasts()[0]?.press?.());
  await expect.poll(bar).not.toBeNull();
  expect(minimum().value).toBe("25");
});

it.each(["Save", "Undo"])(
  "takes the focus from the bar, which goes, to the screen's heading: %s",
  async (name) => {
    const { answer, button, user, demand, bar } = await openFilters(saved(7));
    const arrival = Promise.withResolvers<void>();
    answer({ [PUT]: { body: saved(8, { minHourlyCents: 2_500 }), after: arrival.promise } });
    await demand("25");
    button(name).focus();
    await user.keyboard("{Enter}");
    if (name === "Save") expect(document.activeElement).toBe(button("Saving…"));
    arrival.resolve();
    await expect.poll(bar).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 }));
  },
);

it("leaves the focus in the field where it is while the bar goes", async () => {
  const { answer, press, demand, minimum, bar } = await openFilters(saved(7));
  const arrival = Promise.withResolvers<void>();
  answer({ [PUT]: { body: saved(8, { minHourlyCents: 2_500 }), after: arrival.promise } });
  await demand("25");
  await press("Save");
  minimum().focus();
  arrival.resolve();
  await expect.poll(bar).toBeNull();
  expect(document.activeElement).toBe(minimum());
});

it("has asked anew what was to be changed in the filters before", async () => {
  const { answer, press, demand, toasts, isStale, arrives } = await openFilters(saved(7));
  const [passedOver, week] = [passedOverQuery.queryKey, weekQuery().queryKey];
  for (const key of [passedOver, week]) arrives(key, null);
  answer({ [PUT]: { body: saved(8, { minHourlyCents: 2_500 }) } });
  await demand("25");
  await press("Save");
  await expect.poll(toasts).toEqual([{ text: "Saved" }]);
  expect([isStale(passedOver), isStale(week), isStale(userQuery.queryKey)]).toEqual([true, true, true]);
});

it("can't be undone while it is saved, in the report on it either", async () => {
  const { answer, press, user, demand, sent, bar, minimum } = await openFilters(saved(7));
  const arrival = Promise.withResolvers<void>();
  answer({ [PUT]: { body: saved(8, { minHourlyCents: 2_500 }), after: arrival.promise } });
  await demand("25");
  await user.click(screen.getByTestId("open-replay"));
  const undo = within(screen.getByRole("dialog", { name: "Before you save" })).getByRole("button", {
    name: "Undo",
  });
  expect(undo).toHaveProperty("disabled", false);
  await press("Save");
  await expect.poll(sent).toHaveLength(1);
  expect(undo).toHaveProperty("disabled", true);
  await user.click(undo);
  expect(bar()).not.toBeNull();
  arrival.resolve();
  await expect.poll(bar).toBeNull();
  expect(minimum().value).toBe("25");
});

it("keeps a change that is taken back by hand while it is saved, as one of its own", async () => {
  const { answer, press, demand, minimum, sent, bar, toasts } = await openFilters(saved(7));
  const arrival = Promise.withResolvers<void>();
  answer({
    [PUT]: [{ body: saved(8, { minHourlyCents: 2_500 }), after: arrival.promise }, { body: saved(9) }],
  });
  await demand("25");
  await press("Save");
  await demand("20");
  arrival.resolve();
  await expect.poll(toasts).toEqual([{ text: "Saved" }]);
  await expect.poll(() => [minimum().value, bar() !== null]).toEqual(["20", true]);
  await press("Save");
  await expect.poll(bar).toBeNull();
  expect(sent().at(-1)).toEqual([2_000, `"8"`]);
});

it("has nothing left to save where a further change is taken back to what was saved meanwhile", async () => {
  const { answer, press, demand, bar, toasts } = await openFilters(saved(7));
  const arrival = Promise.withResolvers<void>();
  answer({ [PUT]: { body: saved(8, { minHourlyCents: 2_500 }), after: arrival.promise } });
  await demand("25");
  await press("Save");
  await demand("30");
  await demand("25");
  arrival.resolve();
  await expect.poll(toasts).toEqual([{ text: "Saved" }]);
  await expect.poll(bar).toBeNull();
});

it("says why a save failed, and says it of no later change once that one was taken back", async () => {
  const { answer, press, demand, bar } = await openFilters(saved(7));
  answer({ [PUT]: "lost" });
  await demand("25");
  await press("Save");
  expect((await screen.findByRole("alert")).textContent).toContain("We couldn't reach the server.");
  await demand("20");
  await expect.poll(bar).toBeNull();
  await demand("30");
  await expect.poll(bar).not.toBeNull();
  expect(screen.queryByRole("alert")).toBeNull();
});

it("says at the field what the server refused, until it is changed", async () => {
  const { answer, press, demand, minimum } = await openFilters(saved(7));
  answer({ [PUT]: refusalReply("invalid_request", { minHourlyCents: "too_large" }) });
  await demand("25");
  await press("Save");
  await expect.poll(() => minimum().getAttribute("aria-invalid")).toBe("true");
  expect(minimum().value).toBe("25");
  await demand("24");
  await expect.poll(() => minimum().getAttribute("aria-invalid")).toBe("false");
});

it("takes what an earlier try saved as saved, where the answer to that was lost", async () => {
  const { answer, press, demand, minimum, sent, bar, toasts, cached } = await openFilters(saved(7));
  const stored = saved(8, { minHourlyCents: 2_500 });
  answer({ [PUT]: ["lost", refusalReply("stale_version")], [GET]: { body: stored } });
  await demand("25");
  await press("Save");
  await screen.findByRole("alert");
  await press("Save again");
  await expect.poll(toasts).toEqual([{ text: "Saved" }]);
  await expect.poll(bar).toBeNull();
  expect([sent().length, screen.queryByRole("alertdialog")]).toEqual([2, null]);
  expect([minimum().value, cached(filtersQuery.queryKey)]).toEqual(["25", stored]);
});

it("takes a rule's name as saved without the space that a keyboard put after it", async () => {
  const { answer, press, bar, toasts } = await openFilters(saved(7));
  const named = (name: string) => saved(8, { extraRules: [{ ...SUNDAYS, name }] });
  saveDraft({ version: 7, base: saved(7).filters, draft: toDraft(named("Sundays ").filters, []) });
  answer({ [PUT]: ["lost", refusalReply("stale_version")], [GET]: { body: named("Sundays") } });
  await press("Save");
  await screen.findByRole("alert");
  await press("Save again");
  await expect.poll(toasts).toEqual([{ text: "Saved" }]);
  await expect.poll(bar).toBeNull();
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

/** A change of the minimum, to be saved over filters that another tab saved first, with this minimum. */
async function openConflict(minHourlyCents: number) {
  const part = await openFilters(saved(7));
  part.answer({
    [GET]: { body: saved(8, { minHourlyCents }) },
    [PUT]: [refusalReply("stale_version"), { body: saved(9, { minHourlyCents: 2_500 }) }],
  });
  await part.demand("25");
  await part.press("Save");
  await screen.findByRole("alertdialog", { name: "Your filters were also changed somewhere else" });
  return part;
}

it.each<[choice: string, sent: unknown[]]>([
  ["Keep all of mine", [[2_500, `"8"`]]],
  ["Keep everything already saved", []],
])("asks which side of a conflict to keep, and saves no more than that: %s", async (choice, saves) => {
  const { press, sent, bar } = await openConflict(3_000);
  await press(choice);
  await press("Save my choices");
  await expect.poll(bar).toBeNull();
  expect(sent().slice(1)).toEqual(saves);
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

it("asks again at the next save where the driver decides later, and keeps the change until then", async () => {
  const { answer, press, minimum, sent } = await openConflict(3_000);
  await press("Decide later");
  expect([minimum().value, screen.queryByRole("alertdialog")]).toEqual(["25", null]);
  answer({ [PUT]: refusalReply("stale_version") });
  await press("Save");
  await screen.findByRole("alertdialog");
  expect(sent().at(-1)).toEqual([2_500, `"7"`]);
});

it("has an unsaved change again after the screen was left, with the filters that it began from", async () => {
  const first = await openFilters(saved(7));
  await first.demand("25");
  first.unmount();
  const { answer, press, minimum, sent } = await openFilters(saved(8));
  expect(minimum().value).toBe("25");
  answer({ [PUT]: { body: saved(9) } });
  await press("Save");
  await expect.poll(sent).toEqual([[2_500, `"7"`]]);
});

it("says why a week of its own can't be saved where there are as many dates as can be, until one goes", async () => {
  const full = saved(7);
  const dates = Array.from({ length: MAX_DATES }, (_, index): DateException => {
    const date = dateOfDay(dayOfDate(todayAt(Date.now())) + 20 + index);
    return { kind: "off", from: date, to: date };
  });
  const { press, user, button } = await openFilters({ ...full, filters: { ...full.filters, dates } });
  await press("Next week");
  await user.click(screen.getByRole("switch", { name: "Work on Monday" }));
  expect((await screen.findByRole("alert")).textContent).toContain("You can have up to 60 special days.");
  expect(button("Save").disabled).toBe(true);
  const [, aDate = document.body] = screen.getAllByRole("button", { name: /^Remove: /u });
  await user.click(aDate);
  await expect.poll(() => button("Save").disabled).toBe(false);
  expect(screen.queryByRole("alert")).toBeNull();
});

const GET_USER = "GET /flex/v1/user";
const LINKED: User = { ...RECORD, proxyInstalled: true };

it("leads a newcomer on to the next step once the filters are saved", async () => {
  const { answer, press, demand, address } = await openFilters(saved(7), { setupComplete: false });
  // A database replica may not know yet.
  answer({ [PUT]: { body: saved(8) }, [GET_USER]: { body: { Item: LINKED } } });
  await demand("25");
  await press("Save");
  await expect.poll(address).toBe("/flex/payments");
});

it.each<[answer: string, late: typeof PUT | typeof GET_USER]>([
  ["the save", PUT],
  ["the record", GET_USER],
])("leads no newcomer on who went elsewhere before the answer to %s came", async (_, late) => {
  const { answer, count, press, user, demand, address, cached, unmount, toasts } = await openFilters(
    saved(7),
    {
      setupComplete: false,
    },
  );
  const arrival = Promise.withResolvers<void>();
  const bodies = { [PUT]: saved(8), [GET_USER]: { Item: LINKED } };
  answer({ [PUT]: { body: bodies[PUT] }, [GET_USER]: { body: bodies[GET_USER] } });
  answer({ [late]: { body: bodies[late], after: arrival.promise } });
  await demand("25");
  await press("Save");
  await expect.poll(() => count(late)).toBeGreaterThan(0);
  await user.click(screen.getByRole("link", { name: "See when offers show up" }));
  await expect.poll(address).toBe("/flex/hours");
  unmount();
  arrival.resolve();
  await expect.poll(toasts).toEqual([{ text: "Saved" }]);
  if (late === GET_USER)
    await expect.poll(() => cached(userQuery.queryKey)).toMatchObject({ setupComplete: true });
  await new Promise(requestAnimationFrame);
  expect(address()).toBe("/flex/hours");
});
