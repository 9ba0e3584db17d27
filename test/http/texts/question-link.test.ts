import { expect, it } from "vitest";
import * as z from "zod/mini";
import { driverId } from "../../../db/shapes/units.ts";
import { questionId } from "../../../db/shapes/work/question.ts";
import { createKeys } from "../../../durable/runtime/keys.ts";
import { makeQuestionLink, readQuestionLink } from "../../../durable/texts/question-link.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const keys = createKeys(`test:${btoa("k".repeat(32))}`);
const driver = z.parse(driverId, "5b0a1a7e-93a5-4a30-9c43-0f6b1c2d3e4f");

const makeToken = () =>
  makeQuestionLink(keys, {
    driverId: driver,
    questionId: z.parse(questionId, "question-1"),
    channel: { kind: "text", phoneNumber: "+15550100100" },
  });

it("reads the link that it made, and none with another letter anywhere", async () => {
  const token = (await makeToken()) ?? "";
  expect(await readQuestionLink(keys, token)).toMatchObject({ driverId: driver });
  for (const [at, letter] of Array.from(token).entries()) {
    // The last letter's neighbors differ in bits that stand for nothing.
    const next = ALPHABET[(ALPHABET.indexOf(letter) + 1) % ALPHABET.length] ?? "";
    expect(await readQuestionLink(keys, token.slice(0, at) + next + token.slice(at + 1))).toBeNull();
  }
});
