import { expect, it } from "vitest";
import { utf8 } from "../../worker/identity/bytes.ts";
import { chooseLanguage } from "../../worker/identity/accounts/code-texts.ts";
import { generateCode } from "../../worker/identity/accounts/codes.ts";
import { poolNameOf } from "../../worker/identity/pool-context.ts";
import { findPasswordIssue, isCommonPassword } from "../../worker/identity/accounts/verifiers.ts";
import { isPhoneNumber, maskPhone } from "../../worker/identity/accounts/phone.ts";
import { totpCode, findTotpStep, toBase32 } from "../../worker/identity/mfa/totp.ts";

it("computes the test vectors of RFC 6238, shortened to six digits", async () => {
  const secret = utf8("12345678901234567890");
  const vectors: [number, string][] = [
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_234_567_890, "005924"],
    [20_000_000_000, "353130"],
  ];
  for (const [seconds, code] of vectors) expect(await totpCode(secret, Math.floor(seconds / 30))).toBe(code);
  expect(await findTotpStep(secret, { code: "287082", now: 59_000 })).toBe(1);
  expect(await findTotpStep(secret, { code: "287082", now: 89_999 })).toBe(1);
  expect(await findTotpStep(secret, { code: "287082", now: 90_000 })).toBeNull();
  expect(await findTotpStep(secret, { code: "287082", now: 0 })).toBe(1);
  expect(await findTotpStep(secret, { code: "287082", now: -1 })).toBeNull();
  expect(toBase32(utf8("foobar"))).toBe("MZXW6YTBOI");
});

it("generates six digits, leading zeros included, and skips random numbers that would bias them", () => {
  const codeFrom = (...numbers: number[]) => {
    const queue = [...numbers];
    return generateCode((length) => {
      const bytes = new Uint8Array(length);
      new DataView(bytes.buffer).setUint32(0, queue.shift() ?? 0);
      return bytes;
    });
  };
  expect([codeFrom(42), codeFrom(1_999_999), codeFrom(0xffff_ffff, 7)]).toEqual([
    "000042",
    "999999",
    "000007",
  ]);
});

it("accepts passwords of eight characters with upper case, lower case, a digit and a symbol", () => {
  expect(["Abcdef1!", "Abc def1", "Ünï-code1A"].map(findPasswordIssue)).toEqual([null, null, null]);
  expect(findPasswordIssue("Abcde1!")).toBe("Password not long enough");
  expect(findPasswordIssue("Abcdefg1")).toBe("Password must have symbol characters");
});

it("refuses the commonest passwords, and what the rules on classes make of them", () => {
  const common = [
    "P@ssw0rd",
    "Password1!",
    "P@ssw0rd1!",
    "Qwerty123!",
    "!QAZ2wsx",
    "1qaz@WSX",
    "Summer2024!",
  ];
  const more = [
    "Welcome@123",
    "Admin@123",
    "Samantha1!",
    "Abcd1234!",
    "Aa123456!",
    "Iloveyou1!",
    "Brasil@2024",
  ];
  for (const password of [...common, ...more]) {
    expect([password, findPasswordIssue(password), isCommonPassword(password)]).toEqual([
      password,
      null,
      true,
    ]);
  }
  const own = [
    "Jornada-1-demo",
    "Correct-horse-1",
    "xK9#mQ2vLp!z",
    "Samantha-84719203!",
    "Dois gatos 1 rua!",
  ];
  for (const password of own) expect([password, isCommonPassword(password)]).toEqual([password, false]);
});

it("takes few other passwords for common ones", () => {
  const letters = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789!@#$%-";
  let taken = 0;
  for (let i = 0; i < 20_000; i++) {
    const random = crypto.getRandomValues(new Uint8Array(12));
    if (isCommonPassword(Array.from(random, (byte) => letters[byte % letters.length]).join(""))) taken += 1;
  }
  expect(taken / 20_000).toBeLessThan(0.01);
});

it("accepts phone numbers of +1 and ten digits, and masks all but the last four", () => {
  expect(
    ["+15550100123", "+1555010012", "15550100123", "+445550100123", "+1 5550100123"].map(isPhoneNumber),
  ).toEqual([true, false, false, false, false]);
  expect(maskPhone("+15550100123")).toBe("+*******0123");
});

it("chooses the first supported language, or English", () => {
  expect([chooseLanguage("pt-BR"), chooseLanguage(undefined, "es_MX"), chooseLanguage("fr", "de")]).toEqual([
    "pt",
    "es",
    "en",
  ]);
});

it("refuses a pool id that clients would reject", () => {
  const longest = `${"a".repeat(53)}_1`;
  expect(["local_Jornada1", "a_b_1", longest].map(poolNameOf)).toEqual(["Jornada1", "b_1", "1"]);
  for (const poolId of ["", "local", "local_", "local_a-b", `a${longest}`]) {
    expect(() => poolNameOf(poolId)).toThrow("malformed pool id");
  }
});
