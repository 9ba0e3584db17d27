import { describe, expect, it } from "vitest";
import { isMadeOfContext } from "../../worker/identity/accounts/verifiers.ts";

const ANA = {
  productName: "Jornada",
  phoneNumber: "+15550100123",
  name: "Ana Conceição Lima",
  emails: ["ana.lima@example.com"],
};

describe("a password of words that a stranger knows", () => {
  it.each([
    ["Jornada1!"],
    ["!JORNADAjornada1"],
    ["5550100123Aa!"],
    ["+15550100123Ab"],
    ["A!b0100123"],
    ["Conceicao-12"],
    ["conceição-12A"],
    ["AnaConceicaoLima1!"],
    ["Ana Conceição Lima 1"],
    ["ana.lima@example.comA1"],
    ["Example1!"],
    ["Jornada-Lima-1"],
  ])("is refused: %s", (password) => {
    expect(isMadeOfContext(password, ANA)).toBe(true);
  });

  it.each([["Jornada-1-demo"], ["Correct-2-horse"], ["Banana-12"], ["Lima-4-correct"], ["Zz9!zzzz"]])(
    "is taken where six letters are left: %s",
    (password) => {
      expect(isMadeOfContext(password, ANA)).toBe(false);
    },
  );
});
