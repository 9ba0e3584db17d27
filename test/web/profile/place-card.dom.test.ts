import { screen } from "@testing-library/react";
import { createElement } from "react";
import { beforeAll, beforeEach, expect, it } from "vitest";
import type { User } from "../../../worker/contract/account/user.ts";
import { userQuery } from "../../../web/api/queries/user.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { PlaceCard } from "../../../web/features/profile/place-card.tsx";
import { useUser } from "../../../web/features/session/use-user.ts";
import { RECORD } from "../../support/driver-record.ts";
import { buttonNames, renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork, storeSession } from "../../support/scripted-network.ts";
import { watchToasts } from "../../support/toasts.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => storeSession(localStorage));

const GET = "GET /flex/v1/user";
const PUT = `PUT /flex/v1/user/${RECORD.phoneNumber}`;

/** The card as the profile shows it, of the record in the cache. */
const Card = () => createElement(PlaceCard, { user: useUser() });

/** The card of a driver, whose record the server may have otherwise by now. */
async function openCard(record: User = RECORD, known: User | "lost" = record) {
  const network = scriptNetwork();
  network.answer({ [GET]: known === "lost" ? "lost" : { body: { Item: known } } });
  const toasts = watchToasts();
  const part = await renderPart(createElement(Card), { answered: [[userQuery.queryKey, record]] });
  const region = () => screen.getByLabelText<HTMLInputElement>("Region (optional)");
  const zone = () => screen.getByLabelText<HTMLSelectElement>(/^Time zone/u);
  return {
    ...network,
    ...part,
    region,
    zone,
    shown: () => [region().value, zone().value],
    press: (name: string) => part.user.click(screen.getByRole("button", { name })),
    said: () => toasts().map(({ text }) => text),
    sent: () => network.calls.filter(({ operation }) => operation === PUT).map(({ body }) => body),
  };
}

const MOVED: User = { ...RECORD, humanRegion: "Phoenix", humanTimezone: "America/Phoenix" };

it("saves region and zone once, with name and number as the server has them, and shows what was saved", async () => {
  const elsewhere = { ...RECORD, name: "Ana Maria", preferredPhoneNumber: "+12125550144" };
  const { answer, user, region, zone, press, sent, said, cached, shown } = await openCard(RECORD, elsewhere);
  const arrival = Promise.withResolvers<void>();
  const saved = { ...elsewhere, humanRegion: "Phoenix", humanTimezone: "America/Phoenix" };
  answer({ [PUT]: { body: { Item: saved }, after: arrival.promise } });
  await user.type(region(), " Phoenix ");
  await user.selectOptions(zone(), "America/Phoenix");
  await press("Save");
  await press("Saving…");
  arrival.resolve();
  await expect.poll(said).toEqual(["Saved"]);
  const { name, preferredPhoneNumber, humanRegion, humanTimezone } = saved;
  expect(sent()).toEqual([{ name, preferredPhoneNumber, humanRegion, humanTimezone }]);
  expect([cached(userQuery.queryKey), shown(), buttonNames()]).toEqual([
    saved,
    ["Phoenix", "America/Phoenix"],
    [],
  ]);
});

it("saves no region where it was taken out, or holds nothing but gaps", async () => {
  const { answer, user, region, sent } = await openCard(MOVED);
  answer({ [PUT]: { body: { Item: { ...MOVED, humanRegion: null } } } });
  await user.clear(region());
  await user.type(region(), "  {Enter}");
  await expect.poll(sent).toMatchObject([{ humanRegion: null, humanTimezone: "America/Phoenix" }]);
  await expect.poll(() => region().value).toBe("");
});

it.each<[what: string, known: User | "lost", put: Parameters<ReturnType<typeof scriptNetwork>["answer"]>[0]]>(
  [
    ["the record can't be read", "lost", {}],
    ["it can't be saved", RECORD, { [PUT]: "lost" }],
  ],
)(
  "keeps what was chosen where %s, says so, and goes back to what is saved by Undo",
  async (_, known, put) => {
    const { answer, user, zone, press, shown, said } = await openCard(RECORD, known);
    answer(put);
    await user.selectOptions(zone(), "America/Phoenix");
    await press("Save");
    expect((await screen.findByRole("alert")).textContent).toContain("What you typed is still here.");
    expect([shown(), said()]).toEqual([["", "America/Phoenix"], []]);
    await press("Undo");
    expect([shown(), screen.queryByRole("alert"), buttonNames()]).toEqual([
      ["", RECORD.humanTimezone],
      null,
      [],
    ]);
  },
);

it.each(["humanRegion", "humanTimezone"] as const)("marks %s where the server refuses it", async (name) => {
  const { answer, user, region, zone, press } = await openCard();
  answer({ [PUT]: refusalReply("invalid_request", { [name]: "invalid" }) });
  await user.type(region(), "Nowhere");
  await press("Save");
  const [field, other] = name === "humanRegion" ? [region, zone] : [zone, region];
  await expect.poll(() => field().getAttribute("aria-invalid")).toBe("true");
  expect([document.activeElement, other().getAttribute("aria-invalid")]).toEqual([field(), "false"]);
});

it("follows a record that was changed elsewhere, whose zone is listed wherever it is", async () => {
  const { arrives, zone, shown } = await openCard();
  const abroad = { ...RECORD, humanRegion: "Lisbon", humanTimezone: "Europe/Lisbon" };
  expect([...zone().options].map(({ value }) => value)).not.toContain("Europe/Lisbon");
  arrives(userQuery.queryKey, abroad);
  await expect.poll(shown).toEqual(["Lisbon", "Europe/Lisbon"]);
  expect(buttonNames()).toEqual([]);
});

it("saves only what was chosen here over a record that was changed elsewhere meanwhile", async () => {
  const { answer, arrives, user, region, sent } = await openCard();
  await user.type(region(), "Phoenix");
  const moved = { ...RECORD, humanTimezone: "America/Phoenix" };
  answer({
    [GET]: { body: { Item: moved } },
    [PUT]: { body: { Item: { ...moved, humanRegion: "Phoenix" } } },
  });
  arrives(userQuery.queryKey, moved);
  await user.type(region(), "{Enter}");
  await expect.poll(sent).toMatchObject([{ humanRegion: "Phoenix", humanTimezone: "America/Phoenix" }]);
});
