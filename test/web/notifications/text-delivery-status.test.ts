import { createElement } from "react";
import { beforeAll, expect, it } from "vitest";
import type { TextDelivery } from "../../../db/shapes/text-delivery.ts";
import { textsQuery } from "../../../web/api/queries/notifications.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { TextDeliveryStatus } from "../../../web/features/notifications/text-delivery-status.tsx";
import { m } from "../../../web/messages/messages.js";
import { textsIn } from "../../support/html-text.ts";
import { htmlOfPart } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));

const plain = (text: string) => text.replaceAll(/\s+/gu, " ");

async function read(delivery: Partial<TextDelivery>, sender: string | null = null) {
  const answer = { phoneNumber: "+15550100144", delivery, sender, dailyLimit: 12 };
  const html = await htmlOfPart(createElement(TextDeliveryStatus), {
    answered: [[textsQuery.queryKey, answer]],
  });
  const [title, status = "", advice, ...rest] = textsIn(html);
  expect(title).toBe(m.notify_texts_title());
  return { status: plain(status), advice, button: rest };
}

const PHONE = "+1 (555) 010‑0144";
const TEST = [m.notify_texts_test()];
const CAP = m.notify_texts_cap({ figure: "12" });

it("says whether texts arrive and what can be done, and offers a test unless they were stopped", async () => {
  expect(await read({ status: "ok" })).toEqual({
    status: m.notify_texts_to({ phone: PHONE }),
    advice: CAP,
    button: TEST,
  });
  expect(await read({ status: "other" })).toEqual({
    status: m.notify_texts_other(),
    advice: CAP,
    button: TEST,
  });
  expect(await read({ status: "stopped" })).toEqual({
    status: m.notify_texts_stopped({ phone: PHONE }),
    advice: m.notify_texts_start_reply(),
    button: [],
  });
  expect(plain((await read({ status: "stopped" }, "+15550100199")).advice ?? "")).toBe(
    m.notify_texts_start({ sender: "+1 (555) 010‑0199" }),
  );
});

it.each([
  ["landline", m.notify_problem_landline],
  ["unknown_number", m.notify_problem_unknown_number],
  ["blocked", m.notify_problem_blocked],
  ["unreachable", m.notify_problem_unreachable],
  ["filtered", m.notify_problem_filtered],
  ["other", m.notify_problem_other],
] as const)("says why texts don't arrive: %s", async (problem, advice) => {
  const told = { advice: plain(advice()), button: TEST };
  expect(await read({ status: "failing", problem } as Partial<TextDelivery>)).toEqual({
    status: m.notify_texts_failing({ phone: PHONE }),
    ...told,
  });
  expect(await read({ status: "paused", problem } as Partial<TextDelivery>)).toEqual({
    status: m.notify_texts_paused({ phone: PHONE }),
    ...told,
  });
});
