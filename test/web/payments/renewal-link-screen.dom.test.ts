import { cleanup, screen } from "@testing-library/react";
import { createElement } from "react";
import { beforeAll, expect, it } from "vitest";
import type { RenewalLinkResponse } from "../../../worker/contract/money/renewal-link.ts";
import { RENEWAL_WORDS } from "../../../db/shapes/money/renewal.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { RenewalLinkScreen } from "../../../web/features/payments/renewal-link-screen.tsx";
import { NOON } from "../../engine/fixtures.ts";
import { buttonNames, renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork, type Reply } from "../../support/scripted-network.ts";

beforeAll(() => changeLocale("en"));

const TOKEN = "r".repeat(38);
const [READ, END] = ["GET /flex/v1/renewal-link", "POST /flex/v1/renewal-link"];
const ON: RenewalLinkResponse = {
  status: "on",
  plan: "7days",
  capCents: 6_000,
  currency: "USD",
  words: RENEWAL_WORDS,
  agreedAt: NOON,
  withdrawnAt: null,
  language: "en",
};
const ENDED: RenewalLinkResponse = { ...ON, status: "ended", withdrawnAt: NOON };

async function openLink(hash: string, ...read: readonly Reply[]) {
  const network = scriptNetwork();
  network.answer({ [READ]: read });
  const part = await renderPart(createElement(RenewalLinkScreen, { hash }), { path: `/renewal#${hash}` });
  return {
    ...network,
    ...part,
    press: (name: string) => part.user.click(screen.getByRole("button", { name })),
    links: () => screen.getAllByRole("link").map((link) => link.getAttribute("href")),
  };
}

it("says of a malformed link that it has expired, and where to go", async () => {
  const malformed = await openLink("r".repeat(37));
  expect((await screen.findByRole("alert")).textContent).toContain("expired or was already used");
  expect([malformed.links(), malformed.calls]).toEqual([["/flex/payments", "/contact"], []]);
});

it("shows what was agreed to, changes nothing by that, and leaves its token out of the address", async () => {
  const { calls, address } = await openLink(TOKEN, { body: ON });
  await screen.findByRole("button", { name: "Turn renewal off" });
  expect(screen.getByText("7 days · Renews for at most $60")).toBeTruthy();
  expect(screen.getByText(/at its price then, at most \$60\./u)).toBeTruthy();
  expect(calls.map(({ operation, headers }) => [operation, headers.get("authorization")])).toEqual([
    [READ, `Link ${TOKEN}`],
  ]);
  expect(address()).toBe("/renewal");
});

it("is about the link that was opened last, and asks for no other", async () => {
  await openLink(TOKEN, { body: ON });
  await screen.findByRole("button", { name: "Turn renewal off" });
  cleanup();
  const other = "o".repeat(38);
  const { calls } = await openLink(other, { body: ENDED });
  await screen.findByText("Renewal is off");
  expect(calls.map(({ headers }) => headers.get("authorization"))).toEqual([`Link ${other}`]);
});

it("turns it off once, however often one presses, and says so as the server does", async () => {
  const { answer, press, count, calls } = await openLink(TOKEN, { body: ON }, { body: ENDED });
  const arrival = Promise.withResolvers<void>();
  answer({ [END]: { body: {}, after: arrival.promise } });
  await screen.findByRole("button", { name: "Turn renewal off" });
  const region = screen.getByRole("status");
  await press("Turn renewal off");
  await screen.findByRole("button", { name: "Turning off…" });
  await press("Turning off…");
  expect(screen.queryByText("Renewal is off")).toBeNull();
  arrival.resolve();
  await screen.findByText("Renewal is off");
  // It was there before its words, as screen readers need it.
  expect(region.textContent).toContain("Renewal is off");
  expect([buttonNames(), count(END), count(READ)]).toEqual([[], 1, 2]);
  expect(calls.map(({ headers }) => headers.get("authorization"))).toEqual(Array(3).fill(`Link ${TOKEN}`));
});

it("says that it is still on where that failed, and lets one try again", async () => {
  const { answer, press } = await openLink(TOKEN, { body: ON });
  answer({ [END]: ["lost", { body: {} }] });
  await screen.findByRole("button", { name: "Turn renewal off" });
  await press("Turn renewal off");
  const { textContent } = await screen.findByRole("alert");
  expect(textContent).toContain("We couldn't change your renewal");
  expect(textContent).toContain("We couldn't reach the server.");
  answer({ [READ]: { body: ENDED } });
  await press("Turn renewal off");
  await screen.findByText("Renewal is off");
  expect(screen.queryByRole("alert")).toBeNull();
});

it("offers nothing of one that has ended already", async () => {
  await openLink(TOKEN, { body: ENDED });
  await screen.findByText("Renewal is off");
  expect(buttonNames()).toEqual([]);
});

it("says of a link that the server no longer knows that it has expired", async () => {
  const { links } = await openLink("s".repeat(38), refusalReply("undo_expired"));
  expect((await screen.findByRole("alert")).textContent).toContain("expired or was already used");
  expect(links()).toEqual(["/flex/payments", "/contact"]);
});
