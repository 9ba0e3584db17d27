import { expect, it } from "vitest";
import { takeReport } from "../../../worker/texts/gateway.ts";
import { NOW, openTexts } from "../texts-harness.ts";

const ANA = "+12125550100";
const RUI = "+12125550101";

it("pauses a number for what is its own, and never for what is the sender's", async () => {
  const { sendReported, delivery, alerts } = openTexts();
  for (let i = 0; i < 12; i++) await sendReported(ANA, "undelivered", 30034);
  for (let i = 0; i < 12; i++) await sendReported(RUI, "undelivered", 30003);
  expect(await delivery(ANA)).toEqual({ status: "failing", problem: "other", since: NOW });
  expect(await delivery(RUI)).toEqual({ status: "paused", problem: "unreachable", since: NOW });
  expect(await alerts()).toEqual({ "texts.undelivered": "other" });
});

it("keeps saying why a number is paused while a text that is tried all the same fails for the sender", async () => {
  const { sendReported, delivery, deps, gateway } = openTexts();
  for (let i = 0; i < 3; i++) await sendReported(ANA, "undelivered", 30006);
  await deps.texts.sendNotice({ to: ANA, body: "Changed", account: "a" });
  expect(gateway.asked).toHaveLength(4);
  await sendReported(ANA, "undelivered", 30007);
  expect(await delivery(ANA)).toEqual({ status: "paused", problem: "landline", since: NOW });
});

it("tells operators once no text arrives any more, until one does", async () => {
  const { sendReported, alerts, log } = openTexts();
  await sendReported(ANA, "delivered");
  await sendReported(ANA, "failed", 30008);
  await sendReported(RUI, "failed", 30008);
  expect(await alerts()).toEqual({});
  await sendReported(ANA, "failed", 30002);
  await sendReported(ANA, "failed", 30002);
  expect(await alerts()).toEqual({ "texts.undelivered": "other" });
  await sendReported(RUI, "delivered");
  expect(await alerts()).toEqual({});
  const events = log.mock.calls.map(([, event]) => event).filter((event) => event !== "texts.undelivered");
  expect(events).toEqual(["texts.sender.failed", "texts.undelivered.recovered"]);
});

it("tells operators at once that a carrier objects to our texts, though others let them through", async () => {
  const { sendReported, alerts } = openTexts();
  await sendReported(RUI, "undelivered", 30007);
  await sendReported(ANA, "delivered");
  expect(await alerts()).toEqual({ "texts.filtered": "filtered" });
});

it("tells operators nothing of numbers that texts don't reach", async () => {
  const { sendReported, alerts } = openTexts();
  for (const code of [30003, 30004, 30005, 30006]) await sendReported(ANA, "undelivered", code);
  expect(await alerts()).toEqual({});
});

it("sends a text that can't be noted all the same, without asking for a report, and logs it", async () => {
  const { broken, deps, gateway, log } = openTexts();
  broken.isBroken = (query) => /^insert into "sent_texts"/i.test(query);
  await deps.texts.sendText({ to: ANA, body: "Hi", account: "a" });
  expect(gateway.asked).toMatchObject([{ to: ANA, reportTo: null }]);
  expect(log.mock.calls.map(([level, event]) => [level, event])).toContainEqual([
    "warn",
    "texts.note.failed",
  ]);
});

it("knows a STOP by a report, too: a messaging service takes the text and fails it later", async () => {
  const { clock, sendReported, delivery, alerts, deps, gateway } = openTexts();
  for (const number of [ANA, RUI, "+12125550102"]) await sendReported(number, "failed", 21610);
  expect(await delivery(ANA)).toEqual({ status: "stopped", since: NOW });
  expect(await alerts()).toEqual({});
  clock.now += 60_000;
  const held = await deps.texts.sendText({ to: ANA, body: "Hi", account: "a" });
  expect(held).toEqual({ kind: "held", reason: "stopped" });
  expect(gateway.asked).toHaveLength(3);
});

it("takes a START that came after the text for newer than its report", async () => {
  const { clock, deps, gateway, delivery, reply } = openTexts();
  await deps.texts.sendText({ to: ANA, body: "Hi", account: "a" });
  const id = gateway.asked.at(-1)?.reportTo?.split("=")[1] ?? "";
  clock.now += 1000;
  await reply(ANA, "START");
  clock.now += 1000;
  for (const _ of [1, 2]) await takeReport(deps, id, { MessageStatus: "failed", ErrorCode: "21610" });
  expect(await delivery(ANA)).toEqual({ status: "ok" });
});
