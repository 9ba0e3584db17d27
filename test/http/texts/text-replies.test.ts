import { expect, it } from "vitest";
import { findLanguageOfNumber } from "../../../db/queries/accounts/drivers.ts";
import { deleteOldTexts, noteLearnedStop } from "../../../db/queries/texts/delivery.ts";
import { PAUSE_AFTER } from "../../../db/shapes/text-delivery.ts";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { applyMigrations, migratedDatabase } from "../../support/runtime/migrated-database.ts";
import { NOW, openTexts } from "../texts-harness.ts";
import { insertDriver } from "../../support/driver-insert.ts";

const ANA = "+12125550100";
const RUI = "+12125550101";
const KEPT = { textMs: 3 * DAY_MS, failureMs: 90 * DAY_MS };

it("asks the gateway again after a day whether a STOP that only it heard of still holds", async () => {
  const { deps, delivery, gateway, clock } = openTexts();
  const test = () => deps.texts.sendTest({ to: ANA, body: "Hi", account: crypto.randomUUID() });
  gateway.result = { kind: "failed", reason: "stopped", retryable: false };
  expect([await test(), await test()]).toEqual(["stopped", "stopped"]);
  expect([await delivery(ANA), gateway.asked.length]).toEqual([{ status: "stopped", since: NOW }, 1]);
  clock.now += DAY_MS;
  expect([await test(), gateway.asked.length]).toEqual(["stopped", 2]);
  clock.now += DAY_MS;
  gateway.result = { kind: "sent", id: null };
  expect([await test(), gateway.asked.length]).toEqual(["sent", 3]);
  expect(await delivery(ANA)).toEqual({ status: "ok" });
});

it("keeps a STOP that reached us, whatever the gateway said since", async () => {
  const { deps, delivery, clock, reply } = openTexts();
  await reply(ANA, "STOP");
  clock.now += 100 * DAY_MS;
  // A text that was admitted just before the STOP.
  await noteLearnedStop(deps.db, { textId: "t", phoneNumber: ANA, at: clock.now });
  await deleteOldTexts(deps.db, clock.now, KEPT);
  clock.now += DAY_MS;
  await deleteOldTexts(deps.db, clock.now, KEPT);
  expect(await delivery(ANA)).toEqual({ status: "stopped", since: NOW });
});

it("counts no text for a number with a STOP, so that others have all of them", async () => {
  const { deps, reply, rows } = openTexts();
  const test = () => deps.texts.sendTest({ to: ANA, body: "Hi", account: "ana" });
  const counted = () => rows("SELECT sum(sent) AS texts FROM text_counts WHERE sent > 0");
  await reply(ANA, "STOP");
  const before = counted();
  expect([await test(), await test()]).toEqual(["stopped", "stopped"]);
  expect(counted()).toEqual(before);
});

it("does both of START, or neither, so that its repeat does what is left", async () => {
  const { sendReported, delivery, reply, broken } = openTexts();
  for (let i = 0; i < 3; i++) await sendReported(ANA, "undelivered", 30006);
  await reply(ANA, "STOP");
  broken.isBroken = (query) => query.startsWith("update");
  await expect(reply(ANA, "START", "same")).rejects.toThrow("no database");
  expect(await delivery(ANA)).toMatchObject({ status: "stopped" });
  broken.isBroken = () => false;
  await reply(ANA, "START", "same");
  expect(await delivery(ANA)).toMatchObject({ status: "failing" });
});

it("forgets replies that nothing depends on any more, and never a STOP", async () => {
  const { deps, clock, reply, rows, delivery } = openTexts();
  const say = async (number: string, ...words: string[]) => {
    for (const word of words) {
      clock.now += 1;
      await reply(number, word);
    }
  };
  const kept = () => rows("SELECT phone_number AS number, word FROM text_replies ORDER BY at");
  await say(ANA, "STOP", "START", "STOP");
  await say(RUI, "STOP", "START");
  clock.now += KEPT.textMs - 10;
  await deleteOldTexts(deps.db, clock.now, KEPT);
  expect(kept()).toHaveLength(5);
  clock.now += 20;
  await deleteOldTexts(deps.db, clock.now, KEPT);
  expect(kept()).toEqual([
    { number: ANA, word: "stop" },
    { number: RUI, word: "start" },
  ]);
  clock.now += KEPT.failureMs;
  await deleteOldTexts(deps.db, clock.now, KEPT);
  expect(kept()).toEqual([{ number: ANA, word: "stop" }]);
  expect([(await delivery(ANA)).status, (await delivery(RUI)).status]).toEqual(["stopped", "ok"]);
});

it.each([
  [{ kind: "failed", reason: "stopped", retryable: false }, "failed"],
  [{ kind: "failed", reason: "credentials", retryable: false }, "failed"],
  [{ kind: "failed", reason: "request", retryable: false }, "failed"],
  [{ kind: "failed", reason: "busy", retryable: true }, "failed"],
  [{ kind: "failed", reason: "number", problem: "landline", retryable: false }, "failed"],
  [{ kind: "failed", reason: "timeout", retryable: false }, "queued"],
  [{ kind: "failed", reason: "gateway", retryable: false }, "queued"],
  [{ kind: "sent", id: null }, "queued"],
] as const)("keeps a text as failed that was certainly not sent: %o", async (result, status) => {
  const { deps, gateway, rows } = openTexts();
  gateway.result = result;
  await deps.texts.sendText({ to: ANA, body: "Hi", account: "a" });
  expect(rows("SELECT status FROM sent_texts")).toEqual([{ status }]);
});

it("answers in the language of whose number it is, before those who have their texts sent there", async () => {
  const { database, deps } = openTexts();
  const sentTo = { preferredPhoneNumber: ANA, preferredPhoneVerified: true };
  insertDriver(database, { id: "a", phoneNumber: "+12125550199", language: "es", ...sentTo });
  insertDriver(database, { id: "z", phoneNumber: ANA, language: "pt" });
  insertDriver(database, { id: "b", phoneNumber: "+12125550198", language: "es", ...sentTo });
  expect(await findLanguageOfNumber(deps.db, ANA)).toBe("pt");
  expect(await findLanguageOfNumber(deps.db, "+12125550199")).toBe("es");
  expect(await findLanguageOfNumber(deps.db, RUI)).toBeNull();
});

it("tells a driver who answers a question by a reply to open its link, and nobody else", async () => {
  const { database, reply } = openTexts();
  insertDriver(database, { id: "a", phoneNumber: ANA, language: "es" });
  const link =
    "Jornada: no leemos respuestas. Para tomar un bloque o dejarlo pasar, abre el enlace del mensaje.";
  expect(await reply(ANA, "Sí!")).toBe(link);
  // To the gateway a yes is START, which nobody asked for here.
  expect([await reply(ANA, "Yes"), await reply(ANA, "yes!")]).toEqual([link, link]);
  // Two machines don't talk for ever.
  expect(await reply(ANA, "no")).toBeNull();
  expect([await reply(RUI, "Sí!"), await reply(RUI, "Gracias")]).toEqual([null, null]);
});

it("takes a yes to a number that its driver stopped for START", async () => {
  const { database, reply, delivery } = openTexts();
  insertDriver(database, { id: "a", phoneNumber: ANA, language: "en" });
  await reply(ANA, "STOP");
  expect(await reply(ANA, "no")).toBeNull();
  expect(await reply(ANA, "Yes!")).toBe("Jornada: you'll get our texts again. Reply STOP to stop them.");
  expect((await delivery(ANA)).status).toBe("ok");
});

it("tries the numbers again that an earlier release paused for what was the sender's", () => {
  const database = migratedDatabase({ upTo: "0020" });
  const addFailure = database.prepare(
    "INSERT INTO text_failures (phone_number, failures, permanent_failures, problem, failed_at, paused_at) VALUES (?, 10, 3, ?, 1, 1)",
  );
  for (const problem of ["landline", "blocked", "filtered", "other"]) addFailure.run(problem, problem);
  applyMigrations(database, { from: "0020" });
  const paused = database.prepare("SELECT problem FROM text_failures WHERE paused_at IS NOT NULL").all();
  expect(paused.map((row) => row["problem"])).toEqual(["landline"]);
  // It may be the number's own after all: one more failure pauses it.
  const blocked = database.prepare(
    "SELECT failures, permanent_failures FROM text_failures WHERE problem = 'blocked'",
  );
  expect({ ...blocked.get() }).toEqual({
    failures: PAUSE_AFTER.any - 1,
    permanent_failures: PAUSE_AFTER.permanent - 1,
  });
});
