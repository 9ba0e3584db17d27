import { expect, it } from "vitest";
import { messagesIn } from "../../../web/build/message-texts.ts";

it("finds the messages of a chunk by their numbers, as a minifier writes them", () => {
  const code =
    "let a=messageText(7,{}),b=messageText$1(999),c=messageText(1e3,{n:1}),d=messageText(12e2),e=text(5)";
  expect(messagesIn(code)).toEqual([7, 999, 1000, 1200]);
});
