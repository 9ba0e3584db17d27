import { screen, within } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { User } from "../../../worker/contract/account/user.ts";
import { userQuery } from "../../../web/api/queries/user.ts";
import { restoreSession, sessionStore } from "../../../web/api/session/session.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { StartStrip } from "../../../web/features/start/start-strip.tsx";
import { useStartStep } from "../../../web/features/start/use-start-step.ts";
import { RECORD } from "../../support/driver-record.ts";
import { textsIn } from "../../support/html-text.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { IDENTITY, storeSession } from "../../support/scripted-network.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => {
  storeSession(localStorage);
  restoreSession(IDENTITY, Date.now());
});
afterEach(() => sessionStore.setState(() => undefined));

/** The strip as a screen of the driver's shows it, or nothing. */
function Strip() {
  const shown = useStartStep();
  return shown && createElement(StartStrip, shown);
}

const LINKED = { proxyInstalled: true, flexEmail: "ana@example.com" };
const CHOSEN = { ...LINKED, setupComplete: true };
const PAID = { ...CHOSEN, goodStanding: true, expirationDateTimestamp: 1 };

async function openStrip(path: string, record: Partial<User>) {
  const part = await renderPart(createElement(Strip), {
    path,
    answered: [[userQuery.queryKey, { ...RECORD, ...record }]],
  });
  const steps = () =>
    screen.queryByRole("list") ? within(screen.getByRole("list")).getAllByRole("listitem") : [];
  return {
    ...part,
    /** The steps by name, the present one marked, and the sentence below them. */
    shown: () => ({
      done: steps().filter(({ textContent }) => textContent.endsWith("done")).length,
      at: steps().findIndex((step) => step.getAttribute("aria-current") === "step"),
      line: textsIn(screen.queryByRole("navigation")?.querySelector("p")?.outerHTML ?? "").join(" "),
    }),
    links: () => screen.queryAllByRole("link").map((link) => link.getAttribute("href")),
  };
}

it.each<[path: string, record: Partial<User>, done: number, line: string, links: string[]]>([
  ["/flex/login", {}, 1, "Step 2 of 5: Link. Next: pick your warehouses", []],
  ["/flex/filters", LINKED, 2, "Step 3 of 5: Warehouses. Next: add days of service", []],
  ["/flex/payments", CHOSEN, 3, "Step 4 of 5: Days of service. Next: turn it on", ["/flex/filters"]],
])(
  "has what is done, what is next, and a way back to what may be changed, on %s",
  async (path, record, done, line, links) => {
    const strip = await openStrip(path, record);
    expect(strip.shown()).toEqual({ done, at: done, line });
    expect(strip.links()).toEqual(links);
  },
);

it("goes on as the record does, and says at last that all is set", async () => {
  const first = await openStrip("/flex/payments", CHOSEN);
  expect(first.shown().at).toBe(3);
  first.unmount();
  const { arrives, shown, links } = await openStrip("/flex/dashboard", PAID);
  expect(shown()).toEqual({ done: 4, at: 4, line: "Step 5 of 5: Turn on." });
  arrives(userQuery.queryKey, { ...RECORD, ...PAID, userDisabled: 0 });
  await expect.poll(shown).toEqual({ done: 5, at: -1, line: "You're all set." });
  expect(links()).toEqual(["/flex/filters", "/flex/payments", "/flex/dashboard"]);
});

it.each<[what: string, path: string, record: Partial<User>]>([
  ["a screen of a later step", "/flex/payments", LINKED],
  ["a screen of none", "/flex/blocks", LINKED],
  ["the dashboard of who began long ago", "/flex/dashboard", PAID],
  ["the screens of who only links anew", "/flex/login", { flexEmail: "ana@example.com" }],
])("isn't shown on %s", async (_, path, record) => {
  const { html } = await openStrip(path, record);
  expect(html()).toBe("");
});
