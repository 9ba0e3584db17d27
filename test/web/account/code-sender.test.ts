import { expect, it } from "vitest";
import { createCodeSender } from "../../../web/ui/form/auto-send.ts";

const WRONG = new Error("wrong");

function createSender(refusal: (code: string) => Error | null) {
  const sent: string[] = [];
  const sender = createCodeSender((error) => error === WRONG);
  const send = (code: string) =>
    sender
      .send(code, async () => {
        sent.push(code);
        const error = refusal(code);
        if (error) throw error;
        return "linked";
      })
      .catch((error: unknown) => error);
  return { sent, send, reset: sender.reset };
}

it("sends a wrong code once, and refuses it as before from then on", async () => {
  const { sent, send } = createSender((code) => (code === "123456" ? WRONG : null));
  expect([await send("123456"), await send("123456"), await send("654321")]).toEqual([
    WRONG,
    WRONG,
    "linked",
  ]);
  expect(sent).toEqual(["123456", "654321"]);
});

it("sends a code again of which nobody said that it is wrong", async () => {
  const offline = new Error("offline");
  const { sent, send } = createSender(() => offline);
  expect([await send("123456"), await send("123456")]).toEqual([offline, offline]);
  expect(sent).toEqual(["123456", "123456"]);
});

it("sends any code again after another was texted", async () => {
  const { sent, send, reset } = createSender(() => WRONG);
  await send("123456");
  reset();
  await send("123456");
  expect(sent).toEqual(["123456", "123456"]);
});
