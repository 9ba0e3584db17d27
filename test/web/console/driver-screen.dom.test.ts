import { screen, within } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { driverQuery } from "../../../web/console/calls/drivers.ts";
import { DriverScreen } from "../../../web/console/drivers/driver-screen.tsx";
import type { ActEntry } from "../../../worker/contract/console/operators.ts";
import type { DriverPage } from "../../../worker/contract/console/operator-drivers.ts";
import { NOON } from "../../engine/fixtures.ts";
import { DONE, OWNER, SUPPORT } from "../../support/console-part.ts";
import { rowsOf } from "../../support/html-text.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork } from "../../support/scripted-network.ts";
import { ANA, DRIVER, DRIVER_PAGE } from "./driver-fixture.ts";

beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const PAGE = `GET /ops/v1/drivers/${ANA}`;
const ACT = `POST /ops/v1/drivers/${ANA}/acts`;

async function openDriver({ driver = {}, operator = OWNER, ...fields }: Opening = {}) {
  const network = scriptNetwork();
  const page: DriverPage = { ...DRIVER_PAGE, ...fields, driver: { ...DRIVER, ...driver } };
  network.answer({ [PAGE]: { body: page }, [`${PAGE}/live`]: refusalReply("not_found") });
  const part = await renderPart(createElement(DriverScreen, { driverId: ANA }), {
    answered: [[driverQuery(ANA).queryKey, page]],
    operator,
  });
  return {
    ...network,
    ...part,
    press: (name: string) => part.user.click(screen.getByRole("button", { name })),
    sheet: () => within(screen.getByRole("dialog")),
    acts: () =>
      within(screen.getByRole("group", { name: "What" }))
        .getAllByRole("button")
        .map(({ textContent }) => textContent),
  };
}
type Opening = Omit<Partial<DriverPage>, "driver"> & {
  driver?: Partial<DriverPage["driver"]>;
  operator?: typeof OWNER;
};

const [DAYS, POINTS, PRICE, TEXT] = [
  "Give or take days",
  "Give or take points",
  "Special price",
  "Send a test text",
];
const [OUT, NUMBER, DATA, ERASE] = ["Sign out everywhere", "Change number", "Export data", "Erase driver"];

it.each<[state: string, opening: Opening, acts: string[]]>([
  ["is linked", {}, ["Unlink the platform account", OUT, NUMBER, "Disable"]],
  ["is disabled and not linked", { driver: { isEnabled: false, isLinked: false } }, [OUT, NUMBER, "Enable"]],
  [
    "signs in elsewhere",
    { driver: { isEnabled: null, isLinked: false }, operator: { ...OWNER, hasOwnPool: false } },
    [],
  ],
])("offers what can be done with a driver who %s, and a sheet for each", async (_state, opening, own) => {
  const { acts, press, sheet } = await openDriver(opening);
  expect(acts()).toEqual([DAYS, POINTS, PRICE, TEXT, ...own, DATA, ERASE]);
  for (const act of acts()) {
    await press(act);
    expect(screen.getByRole("dialog", { name: act })).toBeTruthy();
    await press("Close");
    await expect.poll(() => screen.queryByRole("dialog")).toBeNull();
  }
  expect(sheet).toThrow();
});

it("shows the whole number to an operator who asked for it, for as long as the screen is open", async () => {
  const { answer, user, press, sheet } = await openDriver({ operator: SUPPORT });
  const phones = { phoneNumber: "+15550100100", preferredPhoneNumber: "+15550100101" };
  answer({ [ACT]: { body: { ...DONE, phones } } });
  await press("Show");
  await user.type(sheet().getByLabelText("Why"), "A call");
  await user.click(sheet().getByRole("button", { name: "Show the number" }));
  expect(await screen.findByText("+1 (555) 010-0100")).toBeTruthy();
  expect(screen.getByText("+1 (555) 010-0101")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Show" })).toBeNull();
});

it("says of an act on what is gone or over that it is, whatever it was", async () => {
  const { answer, user, press, sheet } = await openDriver();
  answer({ [ACT]: refusalReply("not_found") });
  await press(TEXT);
  await user.type(sheet().getByLabelText("Why"), "A test");
  await user.click(sheet().getByRole("button", { name: TEXT }));
  expect(await sheet().findByText(/^This no longer exists, or is over already\./u)).toBeTruthy();
});

it("lists each act with when, who, why, and how things stood before and after", async () => {
  const entry: ActEntry = {
    id: "a1",
    at: NOON,
    operator: "sam@ops.test",
    role: "support",
    act: "points",
    driverId: ANA,
    what: { points: 20 },
    reason: "A lost day",
    before: { points: 30 },
    after: { points: 50 },
  };
  const { html } = await openDriver({ acts: [entry] });
  const [heads, cells] = rowsOf(html(), "What operators did");
  expect(heads?.slice(1)).toEqual(["What", "Before", "After", "Why", "Who"]);
  expect(cells?.slice(2)).toEqual(["30", "50", "A lost day", "sam@ops.test"]);
});

it("says whose words those of the dashboard are", async () => {
  await openDriver();
  const live = screen.getByRole("region", { name: "What happens now" });
  expect(within(live).getByText("In the words that the driver reads: “you” is the driver.")).toBeTruthy();
});
