import { screen } from "@testing-library/react";
import { createElement } from "react";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { feedbackQuery } from "../../../web/api/queries/feedback.ts";
import { FeedbackCard } from "../../../web/features/dashboard/feedback-card.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork, storeSession } from "../../support/scripted-network.ts";
import { watchToasts } from "../../support/toasts.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => storeSession(localStorage));

const POST = "POST /flex/v1/feedback";
const FAILED = "Error submitting NPS. Please try again.";

/** The question, where it is time to ask it. */
async function openQuestion() {
  const network = scriptNetwork();
  const toasts = watchToasts();
  const { user } = await renderPart(
    createElement("main", { id: "content" }, createElement("h1"), createElement(FeedbackCard)),
    {
      answered: [[feedbackQuery.queryKey, { isDue: true }]],
    },
  );
  return {
    ...network,
    toasts,
    type: (keys: string) => user.keyboard(keys),
    score: (name: string) => user.click(screen.getByRole("radio", { name })),
    comment: () => screen.getByRole<HTMLTextAreaElement>("textbox"),
    write: (text: string) => user.type(screen.getByRole("textbox"), text),
    press: (name: string) => user.click(screen.getByRole("button", { name })),
    sent: () => network.calls.map(({ body }) => body),
    isAsked: () => screen.queryByRole("radiogroup") !== null,
  };
}

it("sends a score with its comment, once and without a skip beside it, says thanks, and asks no more", async () => {
  const { answer, score, write, press, sent, toasts, isAsked } = await openQuestion();
  const arrival = Promise.withResolvers<void>();
  answer({ [POST]: { body: {}, after: arrival.promise } });
  await score("9");
  await write("Good");
  await press("Send");
  await expect.poll(sent).toHaveLength(1);
  await press("Skip");
  arrival.resolve();
  await expect.poll(isAsked).toBe(false);
  expect(sent()).toEqual([{ score: 9, comment: "Good" }]);
  expect(toasts()).toHaveLength(1);
});

it("asks for a score before it sends a comment alone", async () => {
  const { write, press, sent } = await openQuestion();
  await write("Good");
  await press("Send");
  await screen.findByRole("alert");
  expect([sent(), document.activeElement]).toEqual([[], screen.getByRole("radio", { name: "1" })]);
});

it("keeps what was written where it couldn't be sent, and sends it at the next press", async () => {
  const { answer, score, write, comment, press, sent, isAsked } = await openQuestion();
  answer({ [POST]: ["lost", refusalReply("rate_limited"), { body: {} }] });
  await score("2");
  await write("Too slow");
  for (const count of [1, 2]) {
    await press("Send");
    await expect.poll(sent).toHaveLength(count);
    await screen.findByText(FAILED);
  }
  expect(comment().value).toBe("Too slow");
  await press("Send");
  await expect.poll(isAsked).toBe(false);
  expect(new Set(sent().map((body) => JSON.stringify(body))).size).toBe(1);
});

it("sends no score while a skip is under way", async () => {
  const { answer, score, press, sent, isAsked, toasts } = await openQuestion();
  const arrival = Promise.withResolvers<void>();
  answer({ [POST]: { body: {}, after: arrival.promise } });
  await score("9");
  await press("Skip");
  await expect.poll(sent).toHaveLength(1);
  await press("Send");
  arrival.resolve();
  await expect.poll(isAsked).toBe(false);
  expect([sent(), toasts()]).toEqual([[{ score: null }], []]);
});

it("asks no more where it is skipped, and says where that couldn't be sent", async () => {
  const { answer, press, sent, isAsked } = await openQuestion();
  answer({ [POST]: ["lost", { body: {} }] });
  await press("Skip");
  await screen.findByText(FAILED);
  await press("Skip");
  await expect.poll(isAsked).toBe(false);
  expect(sent()).toEqual([{ score: null }, { score: null }]);
});

it("says once that it couldn't be sent, whichever was pressed last", async () => {
  const { answer, score, press, sent } = await openQuestion();
  answer({ [POST]: "lost" });
  await score("9");
  for (const [index, name] of ["Skip", "Send", "Skip"].entries()) {
    await press(name);
    await expect.poll(sent).toHaveLength(index + 1);
    const skip = screen.getByRole("button", { name: "Skip" });
    await expect.poll(() => skip.getAttribute("aria-disabled")).toBe("false");
    expect(screen.queryAllByText(FAILED)).toHaveLength(1);
  }
});

it.each(["button", "field"])(
  "hands the focus on to the heading when it goes with it, on a %s",
  async (where) => {
    const { answer, score, press, type, isAsked } = await openQuestion();
    answer({ [POST]: { body: {} } });
    await score("9");
    await (where === "button" ? press("Send") : type("{Enter}"));
    await expect.poll(isAsked).toBe(false);
    expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 }));
  },
);
