import { screen, within } from "@testing-library/react";
import { createElement } from "react";
import { toast } from "sonner";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../db/shapes/units.ts";
import { announcementListQuery } from "../../../web/console/calls/voice.ts";
import { toLocalTime } from "../../../web/console/forms/deployment-forms.ts";
import { AnnouncementsSection } from "../../../web/console/voice/announcements-section.tsx";
import type { OperatorAnnouncements } from "../../../worker/contract/console/voice.ts";
import { NOON } from "../../engine/fixtures.ts";
import { DONE, OWNER, SUPPORT } from "../../support/console-part.ts";
import { textsIn } from "../../support/html-text.ts";
import { buttonNames, renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork } from "../../support/scripted-network.ts";

beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ["Date"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const ACT = "POST /ops/v1/acts";
const LIST: OperatorAnnouncements = {
  announcements: [
    {
      id: "line-1",
      text: { en: "Rain ahead", es: "Viene lluvia", pt: "Vem chuva" },
      audience: { kind: "all" },
      startsAt: NOON - HOUR_MS,
      endsAt: NOON + HOUR_MS,
      told: 3,
      isTold: true,
      pushes: { sent: 3, failed: 0, pending: 0 },
    },
  ],
  hasMore: false,
  cities: ["Austin", "Boston"],
};
const LINES = { "In English": "Snow", "In Spanish": "Nieve", "In Portuguese": "Neve" };
const [ANNOUNCE, TAKE_BACK] = ["Announce", "Take back"];

async function openSection(operator = OWNER) {
  const network = scriptNetwork();
  network.answer({ "GET /ops/v1/announcements": { body: LIST } });
  const done = vi.spyOn(toast, "success");
  const answered: [readonly unknown[], unknown][] = [[announcementListQuery.queryKey, LIST]];
  const part = await renderPart(createElement(AnnouncementsSection), { answered, operator });
  const sheet = () => within(screen.getByRole("dialog"));
  const field = (name: string) => sheet().getByLabelText<HTMLInputElement>(name);
  const press = (name: string) => part.user.click(sheet().getByRole("button", { name }));
  return {
    ...network,
    ...part,
    done,
    sheet,
    field,
    press,
    open: (name: string) => part.user.click(screen.getByRole("button", { name })),
    write: async (texts: Record<string, string>) => {
      for (const [name, text] of Object.entries(texts)) await part.user.type(field(name), text);
    },
    retype: async (name: string, text: string) => {
      await part.user.clear(field(name));
      if (text !== "") await part.user.type(field(name), text);
    },
    noteOf: (name: string) => field(name).parentElement?.querySelector("p")?.textContent,
    sent: () => network.calls.filter(({ operation }) => operation === ACT).map(({ body }) => body),
  };
}

it("announces for a day from now on to everybody, in all languages, and asks for the list anew", async () => {
  const { answer, open, write, press, sent, done, count } = await openSection();
  answer({ [ACT]: { body: DONE } });
  await open(ANNOUNCE);
  await write({ ...LINES, Why: "The weather" });
  const asked = count("GET /ops/v1/announcements");
  await press(ANNOUNCE);
  await expect.poll(() => done.mock.calls).toEqual([["Done"]]);
  expect(sent()).toEqual([
    {
      act: "announce",
      en: "Snow",
      es: "Nieve",
      pt: "Neve",
      audience: "all",
      audienceOf: null,
      startsAt: NOON,
      endsAt: NOON + DAY_MS,
      reason: "The weather",
    },
  ]);
  await expect.poll(() => screen.queryByRole("dialog")).toBeNull();
  await expect.poll(() => count("GET /ops/v1/announcements")).toBe(asked + 1);
});

it("shows each written line as a dashboard and a push message do, in its language", async () => {
  const { open, write, sheet } = await openSection();
  await open(ANNOUNCE);
  expect(sheet().queryByRole("region", { name: "What drivers see" })).toBeNull();
  await write({ "In Spanish": " Nieve" });
  const preview = sheet().getByRole("region", { name: "What drivers see" });
  expect(textsIn(preview.innerHTML)).toEqual([
    "What drivers see",
    "Español",
    "Dashboard",
    "Nieve",
    "Push message",
    "Jornada",
    "Nieve",
  ]);
  expect([...preview.querySelectorAll("[lang]")].map((shown) => shown.getAttribute("lang"))).toEqual([
    "es",
    "es",
  ]);
});

it("is for one of the cities that drivers have, or for one language, once it is said which", async () => {
  const { answer, user, open, write, press, field, noteOf, sent } = await openSection();
  answer({ [ACT]: refusalReply("conflict") });
  await open(ANNOUNCE);
  await write({ ...LINES, Why: "The weather" });
  await user.selectOptions(field("For"), "One city");
  await press(ANNOUNCE);
  await expect.poll(() => noteOf("One city")).toBe("Choose which one.");
  expect([...field("One city").querySelectorAll("option")].map(({ textContent }) => textContent)).toEqual([
    "–",
    "Austin",
    "Boston",
  ]);
  await user.selectOptions(field("One city"), "Boston");
  await press(ANNOUNCE);
  await expect.poll(sent).toHaveLength(1);
  await user.selectOptions(field("For"), "One language");
  expect(field("One language").value).toBe("");
  await user.selectOptions(field("One language"), "Português");
  await press(ANNOUNCE);
  await expect.poll(sent).toHaveLength(2);
  await user.selectOptions(field("For"), "All drivers");
  await press(ANNOUNCE);
  await expect
    .poll(() => sent().map(({ audience, audienceOf }) => [audience, audienceOf]))
    .toEqual([
      ["city", "Boston"],
      ["language", "pt"],
      ["all", null],
    ]);
});

it("sends nothing that isn't finished, and says at each field what is wrong with it", async () => {
  const { open, write, press, noteOf, retype, sent } = await openSection();
  await open(ANNOUNCE);
  await write({ "In English": "Snow", "In Spanish": "  " });
  await retype("From", "");
  await retype("Until", toLocalTime(NOON));
  await press(ANNOUNCE);
  await expect.poll(() => noteOf("In Spanish")).toBe("Write it in this language, too.");
  expect(["In English", "In Portuguese", "From", "Until", "Why"].map(noteOf)).toEqual([
    undefined,
    "Write it in this language, too.",
    "Fill this in.",
    "The end must come after the start, and be ahead.",
    "Say why, in three letters at least.",
  ]);
  await retype("From", toLocalTime(NOON + 2 * HOUR_MS));
  await retype("Until", toLocalTime(NOON + 2 * HOUR_MS));
  await press(ANNOUNCE);
  await expect.poll(() => noteOf("Until")).toBe("The end must come after the start, and be ahead.");
  expect(sent()).toEqual([]);
});

it("says at the end of an announcement that the server finds it too early, and keeps what was typed", async () => {
  const { answer, open, write, press, noteOf, field } = await openSection();
  answer({ [ACT]: refusalReply("invalid_request", { endsAt: "too_small" }) });
  await open(ANNOUNCE);
  await write({ ...LINES, Why: "The weather" });
  await press(ANNOUNCE);
  await expect.poll(() => noteOf("Until")).toBe("The end must come after the start, and be ahead.");
  expect(Object.keys(LINES).map((name) => field(name).value)).toEqual(["Snow", "Nieve", "Neve"]);
});

it("takes an announcement back with a reason, and nothing where that is left", async () => {
  const { answer, open, write, press, sheet, sent, done } = await openSection();
  answer({ [ACT]: { body: DONE } });
  await open(TAKE_BACK);
  expect(
    sheet().getByText("It disappears from open dashboards within a minute.", { exact: false }),
  ).toBeTruthy();
  await press("Cancel");
  await expect.poll(() => screen.queryByRole("dialog")).toBeNull();
  await open(TAKE_BACK);
  await press(TAKE_BACK);
  expect(await sheet().findByText("Say why, in three letters at least.")).toBeTruthy();
  expect(sent()).toEqual([]);
  await write({ Why: "The sun is out" });
  await press(TAKE_BACK);
  await expect.poll(() => done.mock.calls).toEqual([["Done"]]);
  expect(sent()).toEqual([{ act: "end_announcement", announcementId: "line-1", reason: "The sun is out" }]);
});

it("lets support announce and take back nothing", async () => {
  await openSection(SUPPORT);
  expect(buttonNames().filter((name) => name === ANNOUNCE || name === TAKE_BACK)).toEqual([]);
});
