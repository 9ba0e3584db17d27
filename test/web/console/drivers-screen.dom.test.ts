import { screen } from "@testing-library/react";
import { createElement } from "react";
import { beforeEach, expect, it } from "vitest";
import { driverId } from "../../../db/shapes/units.ts";
import type { FoundDriver } from "../../../worker/contract/console/operator-drivers.ts";
import { DriversScreen } from "../../../web/console/drivers/drivers-screen.tsx";
import { NOON } from "../../engine/fixtures.ts";
import { OWNER } from "../../support/console-part.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork } from "../../support/scripted-network.ts";

beforeEach(() => history.replaceState(null, "", "/ops/drivers"));

const found = (name: string): FoundDriver => ({
  id: driverId.parse(`driver-${name}`),
  name,
  phone: "+15550100144",
  flexEmail: null,
  humanRegion: null,
  isLinked: true,
  isSwitchedOn: true,
  createdAt: NOON,
});
const FIND = "GET /ops/v1/drivers?q=";

async function openSearch(initialQuery = "") {
  const network = scriptNetwork();
  const part = await renderPart(createElement(DriversScreen, { initialQuery }), { operator: OWNER });
  return { ...network, ...part, field: screen.getByRole("searchbox") };
}

it("finds whom is looked for now, and not who was found before", async () => {
  const { answer, user, field } = await openSearch();
  answer({
    [`${FIND}an`]: { body: { drivers: [found("Ana")], hasMore: false } },
    [`${FIND}bo`]: { body: { drivers: [found("Bo"), found("Bob")], hasMore: true } },
  });
  const names = () => screen.queryAllByRole("link").map(({ textContent }) => textContent);
  expect(document.activeElement).toBe(field);
  await user.type(field, "an");
  await expect.poll(names).toEqual(["Ana"]);
  expect(screen.getByRole("link").getAttribute("href")).toContain("driver-Ana");
  await user.clear(field);
  await expect.poll(names).toEqual([]);
  await user.type(field, " bo");
  await expect.poll(names).toEqual(["Bo", "Bob"]);
  expect(screen.getByText("Only the first 2 are listed. Type more.")).toBeTruthy();
});

it("looks for nobody by a single letter, and for whom the address names from the start", async () => {
  const { calls, user, field } = await openSearch("a");
  await user.type(field, "{Enter}");
  expect(calls).toEqual([]);
  await user.type(field, "na");
  await expect.poll(() => calls.map(({ operation }) => operation)).toContain(`${FIND}ana`);
  expect(location.search).toContain("ana");
});

it("says that nobody was found, and that nobody could be looked for", async () => {
  const { answer, user, field } = await openSearch();
  answer({
    [`${FIND}xx`]: { body: { drivers: [], hasMore: false } },
    [`${FIND}xxx`]: refusalReply("unauthenticated"),
  });
  await user.type(field, "xx");
  await screen.findByText("Nobody found");
  await user.type(field, "x");
  await screen.findByRole("alert");
  expect(screen.queryByText("Nobody found")).toBeNull();
});
