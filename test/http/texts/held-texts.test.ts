import { expect, it } from "vitest";
import { openTexts } from "../texts-harness.ts";

const ANA = "+12125550144";
const text = { to: ANA, body: "Hi", account: "a" };

it("a driver who answered STOP is told from one whose texts reach the deployment's ceiling", async () => {
  const { deps, gateway, reply } = openTexts({ TEXTS_TO_DRIVERS: "1/1" });
  await reply(ANA, "STOP");
  gateway.asked.length = 0;
  expect(await deps.texts.sendText(text)).toEqual({ kind: "held", reason: "stopped" });
  const bia = { ...text, to: "+12125550145" };
  expect(await deps.texts.sendText(bia)).toEqual({ kind: "sent", id: null });
  expect(await deps.texts.sendText(bia)).toEqual({ kind: "held", reason: "ceiling" });
  expect(gateway.asked).toHaveLength(1);
});

it("a driver's text is sent while nothing can be counted, and the log says why that is", async () => {
  const { broken, deps, gateway, log } = openTexts();
  broken.isBroken = (query) => query.startsWith("select");
  expect(await deps.texts.sendText(text)).toEqual({ kind: "sent", id: null });
  expect(gateway.asked).toMatchObject([{ to: ANA, body: "Hi" }]);
  expect(log.mock.calls).toContainEqual(["warn", "texts.count.failed", { error: "Error" }]);
});
