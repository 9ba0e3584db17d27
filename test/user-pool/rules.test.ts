import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listAttributes, parseAttributes } from "../../worker/identity/accounts/attributes.ts";
import { isCommon, makeFilter, plainFormsOf } from "../../worker/identity/accounts/common-password-filter.ts";
import { chooseLanguage } from "../../worker/identity/accounts/code-texts.ts";
import { generateCode } from "../../worker/identity/accounts/codes.ts";
import { isPhoneNumber, maskPhone, toCodeDelivery } from "../../worker/identity/accounts/phone.ts";
import { findPasswordIssue } from "../../worker/identity/accounts/verifiers.ts";
import { decodeBase64, fromHex, isEqual, toHex, toUuid } from "../../worker/identity/bytes.ts";
import { toBase32 } from "../../worker/identity/mfa/totp.ts";
import { formatTimestamp, parseTimestamp } from "../../worker/identity/sign-in/proofs.ts";
import {
  computeServerStep,
  modPow,
  modPowOfTwo,
  MULTIPLIER,
  N,
  pad,
  parsePublicNumber,
  precompute,
  toInteger,
} from "../../worker/identity/protocol/srp.ts";
import { poolUser } from "../support/pool-user.ts";
import { OWNER, PHONE } from "./pool-harness.ts";

const refusalOf = (run: () => unknown) => {
  try {
    return run();
  } catch (error) {
    const { type, message } = Object(error);
    return [type, message];
  }
};

describe("attributes", () => {
  const WRITABLE =
    "address birthdate email family_name gender given_name locale middle_name name nickname picture preferred_username profile website zoneinfo";

  it.each(WRITABLE.split(" "))("that clients may write: %s", (Name) => {
    expect(parseAttributes([{ Name, Value: "x" }])).toEqual({ [Name]: "x" });
    expect(parseAttributes([{ Name }, { Name: "name", Value: null }])).toEqual({ [Name]: "", name: "" });
  });

  it.each(["sub", "phone_number_verified", "email_verified", "updated_at"])(
    "that they may not: %s",
    (Name) => {
      expect(refusalOf(() => parseAttributes([{ Name, Value: "x" }]))).toEqual([
        "NotAuthorizedException",
        "A client attempted to write unauthorized attribute",
      ]);
    },
  );

  it("that nobody knows, or that aren't numbers, are refused", () => {
    expect(refusalOf(() => parseAttributes([{ Name: "custom:x", Value: "x" }]))).toEqual([
      "InvalidParameterException",
      "Attributes did not conform to the schema: Type for attribute {custom:x} could not be determined",
    ]);
    const phone = (Value?: string | null) =>
      refusalOf(() => parseAttributes([{ Name: "phone_number", Value }]));
    expect(phone("+15550100123")).toEqual({ phone_number: "+15550100123" });
    for (const text of ["5550100123", "", null, undefined])
      expect(phone(text)).toEqual(["InvalidParameterException", "Invalid phone number format."]);
  });

  it("are listed as Cognito lists them", () => {
    const user = poolUser({
      id: OWNER,
      phoneNumber: PHONE,
      attributes: { name: "Ana", email: "ana@example.com" },
    });
    const own = (Name: string, Value: string) => ({ Name, Value });
    const phone = [own("phone_number", PHONE), own("phone_number_verified", "true")];
    expect(listAttributes(user)).toEqual([
      own("sub", user.id),
      own("name", "Ana"),
      own("email", "ana@example.com"),
      own("email_verified", "false"),
      ...phone,
    ]);
    expect(listAttributes({ ...user, attributes: {} })).toEqual([own("sub", user.id), ...phone]);
  });
});

describe("a common password", () => {
  it.each([
    ["Password1!", ["password1!", "password11", "passwordii", "password1", "password"]],
    ["P@$$w0rd", ["p@$$w0rd", "p244w0rd", "password", "pw0rd"]],
    ["!Qaz2wsx", ["!qaz2wsx", "1qaz2wsx", "iqaz2wsx", "qaz2wsx"]],
    ["xx-monkey-", ["xx-monkey-", "xxmonkey", "xx-monkey"]],
    ["1234-ab-5678", ["1234-ab-5678", "i2ea-ab-sgtb", "1234ab5678"]],
    ["abc", []],
  ])("is looked for in %s under all that the rules on classes make of it", (password, forms) => {
    expect([...plainFormsOf(password)]).toEqual(forms);
  });

  it.each([
    ["each lookalike stands for its letter", "@4836!10$57+", "aabegiiossttt".slice(0, 12)],
    ["each shifted digit is one", "!@#$%^&*()", "1234567890"],
  ])("%s", (_name, typed, meant) => {
    expect([...plainFormsOf(typed)]).toContain(meant);
  });

  it("has at most six characters around its word", () => {
    expect([...plainFormsOf("123monkey456")]).toContain("monkey");
    expect([...plainFormsOf("123monkey4567")]).not.toContain("monkey");
    expect([...plainFormsOf("1m0nk3y!")]).toContain("monkey");
    expect([...plainFormsOf("--abc--")]).not.toContain("abc");
    expect([...plainFormsOf("--abcd--")]).toContain("abcd");
  });

  it("is found by a filter that knows all of its texts, and few others", () => {
    const texts = Array.from({ length: 500 }, (_one, index) => `word${index * 7}`);
    const filter = makeFilter(texts);
    expect([filter.bits.length, filter.hashes]).toEqual([1000, 11]);
    expect(texts.every((text) => isCommon(filter, text))).toBe(true);
    expect(isCommon(filter, "WORD0!")).toBe(true);
    const others = Array.from(
      { length: 4000 },
      (_one, index) => `other${String.fromCharCode(97 + (index % 26))}${index}`,
    );
    expect(others.filter((text) => isCommon(filter, text)).length).toBeLessThan(40);
    // Half of the bits are set, as of every filter of its best size.
    const set = filter.bits.reduce((sum, byte) => sum + byte.toString(2).replaceAll("0", "").length, 0);
    expect(set / 8000).toBeGreaterThan(0.45);
    expect(set / 8000).toBeLessThan(0.55);
    expect(makeFilter(["a"], 8).bits.length).toBe(1);
    expect(makeFilter(["a", "b", "c"], 3)).toMatchObject({ hashes: 2 });
    expect(makeFilter(["a", "b", "c"], 3).bits.length).toBe(2);
  });
});

describe("a password", () => {
  it.each([
    ["Abcde1!", "Password not long enough"],
    ["abcdefg1!", "Password must have uppercase characters"],
    ["ABCDEFG1!", "Password must have lowercase characters"],
    ["Abcdefgh!", "Password must have numeric characters"],
    ["Abcdefgh1", "Password must have symbol characters"],
    [" Abcdefg1", "Password must have symbol characters"],
    ["Abcdefg1 ", "Password must have symbol characters"],
    ["Abcd  efg1", "Password must have symbol characters"],
    ["Abcd efg1", null],
    ["Abcdef1!", null],
  ])("%s breaks the first rule that it breaks", (password, issue) => {
    expect(findPasswordIssue(password)).toBe(issue);
  });

  it.each([..."^$*.[]{}()?\"!@#%&/\\,><':;|_~`=+-"])("may have the symbol %s", (symbol) => {
    expect(findPasswordIssue(`Abcdefg1${symbol}`)).toBeNull();
  });
});

describe("a code", () => {
  const bytesOf = (...numbers: number[]) => {
    const queue = [...numbers];
    return (length: number) => {
      const bytes = new Uint8Array(length);
      new DataView(bytes.buffer).setUint32(0, queue.shift() ?? 0);
      return bytes;
    };
  };

  it("has the requested number of digits, all of them from chance", () => {
    expect(generateCode(bytesOf(1_234_567, 8_000_009), 10)).toBe("2345670000");
    expect(generateCode(bytesOf(123_456, 654_321), 12)).toBe("123456654321");
    // The last number that does not favour some codes, and the first that would.
    expect(generateCode(bytesOf(4_293_999_999))).toBe("999999");
    expect(generateCode(bytesOf(4_294_000_000, 5))).toBe("000005");
  });

  it("goes to +1 and ten digits, and nothing else", () => {
    expect(isPhoneNumber("+15550100123")).toBe(true);
    for (const text of ["x+15550100123", "+155501001234", "+15550100123 ", "15550100123", "+25550100123"])
      expect([text, isPhoneNumber(text)]).toEqual([text, false]);
  });

  it("goes to a number of which all but the last four digits are hidden", () => {
    expect(toCodeDelivery("+15550100123")).toEqual({
      AttributeName: "phone_number",
      DeliveryMedium: "SMS",
      Destination: "+*******0123",
    });
    expect([maskPhone("+12"), maskPhone("(555) 010-0123"), maskPhone("")]).toEqual([
      "+12",
      "+******0123",
      "+",
    ]);
  });

  it("is in the first language that we have", () => {
    expect(chooseLanguage(null, "", "EN-gb", "es")).toBe("en");
    expect(chooseLanguage("ptx", "es_419")).toBe("es");
    expect(chooseLanguage()).toBe("en");
  });
});

describe("the timestamp of a proof", () => {
  it("is read as clients write it, on every day of a year", () => {
    const start = Date.UTC(2028, 0, 1, 1, 2, 3);
    for (let day = 0; day < 366; day += 1) {
      const at = start + day * 86_400_000 + day * 61_000;
      const [weekday = "", date = "", month, year, time] = new Date(at).toUTCString().split(" ");
      const text = `${weekday.slice(0, 3)} ${month} ${Number(date)} ${time} UTC ${year}`;
      expect(formatTimestamp(at)).toBe(text);
      expect(parseTimestamp(text)).toEqual({ kind: "at", at });
    }
  });

  it.each([
    ["Sat Nov 07 01:02:03 UTC 2026", "other"],
    ["Sun Nov 7 01:02:03 UTC 2026", "other"],
    ["Sat Nov 31 01:02:03 UTC 2026", "other"],
    ["Sat Nov 7 25:02:03 UTC 2026", "other"],
    ["Sat Nov 7 1:02:03 UTC 2026", "unreadable"],
    ["Sat Nov 7 01:02:03 GMT 2026", "unreadable"],
    ["Sat Nov 7 01:02:03 UTC 26", "unreadable"],
    ["xSat Nov 7 01:02:03 UTC 2026", "unreadable"],
    ["Sat Nov 7 01:02:03 UTC 2026x", "unreadable"],
    ["Sat Nvo 7 01:02:03 UTC 2026", "unreadable"],
    ["sat Nov 7 01:02:03 UTC 2026", "unreadable"],
    ["Sat Nov 007 01:02:03 UTC 2026", "unreadable"],
    ["", "unreadable"],
  ])("%s is %s", (text, kind) => {
    expect(parseTimestamp(text)).toEqual({ kind });
  });
});

describe("bytes", () => {
  it("are written as the standards say", () => {
    const utf8 = (text: string) => new TextEncoder().encode(text);
    const base32 = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map((text) => toBase32(utf8(text)));
    expect(base32).toEqual(["", "MY", "MZXQ", "MZXW6", "MZXW6YQ", "MZXW6YTB", "MZXW6YTBOI"]);
    expect(toBase32(new Uint8Array([0, 0x44, 0x32, 0x14, 0xc7, 0x42, 0x54, 0xb6, 0x35, 0xcf]))).toBe(
      "ABCDEFGHIJKLMNOP",
    );
    expect(toHex(fromHex("00ff0a7f80"))).toBe("00ff0a7f80");
    expect(toUuid(new Uint8Array(16).fill(255))).toBe("ffffffff-ffff-4fff-bfff-ffffffffffff");
    expect(toUuid(new Uint8Array(16))).toBe("00000000-0000-4000-8000-000000000000");
  });

  it("are decoded from base64 only", () => {
    expect(decodeBase64("AP8=")).toEqual(new Uint8Array([0, 255]));
    expect(decodeBase64("")).toEqual(new Uint8Array());
    for (const text of ["AP8-", " AP8=", "AP8=\n", "AP8===", "A", "=AP8"])
      expect([text, decodeBase64(text)]).toEqual([text, null]);
  });

  it("are equal only where all of them are", () => {
    const pairs = fc.tuple(fc.uint8Array({ maxLength: 8 }), fc.uint8Array({ maxLength: 8 }));
    fc.assert(fc.property(pairs, ([one, other]) => isEqual(one, other) === (toHex(one) === toHex(other))));
    expect(isEqual(new Uint8Array([0]), new Uint8Array([0, 0]))).toBe(false);
    expect(isEqual(new Uint8Array([1, 0]), new Uint8Array([0, 1]))).toBe(false);
  });
});

describe("the group of SRP", () => {
  const naive = (base: bigint, exponent: bigint) => {
    let result = 1n;
    for (const bit of exponent.toString(2)) {
      result = (result * result) % N;
      if (bit === "1") result = (result * base) % N;
    }
    return result;
  };

  it("raises to any power, with a window or a comb", () => {
    for (const exponent of [
      0n,
      1n,
      2n,
      31n,
      32n,
      33n,
      1023n,
      2n ** 64n + 5n,
      2n ** 256n - 1n,
      0x1234567890abcdefn << 190n,
    ]) {
      expect(modPow(3n, exponent)).toBe(naive(3n, exponent));
      expect(modPowOfTwo(exponent)).toBe(naive(2n, exponent));
    }
    const { combPowers } = precompute({ salt: 1n, verifier: 5n });
    expect(combPowers).toEqual([5n, naive(5n, 2n ** 64n), naive(5n, 2n ** 128n), naive(5n, 2n ** 192n)]);
  });

  it("has no step of the server whose public number is 0, which would say nothing of the password", async () => {
    // The inverse of the multiplier, negated: with the power 2^0 they add up to the whole group.
    const verifier = N - modPow(MULTIPLIER, N - 2n);
    const { combPowers } = precompute({ salt: 1n, verifier });
    expect(await computeServerStep(3n, { combPowers, random: 0n })).toBeNull();
    expect(await computeServerStep(3n, { combPowers, random: 1n })).toMatchObject({ b: 1n });
  });

  it("reads public numbers in hex, none that is 0 in it, and none that is too long", () => {
    const hex = N.toString(16);
    expect(parsePublicNumber("ff")).toBe(255n);
    expect(parsePublicNumber(`${"0".repeat(768)}a`)).toBe(10n);
    expect(parsePublicNumber("f".repeat(770))).not.toBeNull();
    for (const text of ["", "0", hex, "g1", "1g", "0x1", "f".repeat(771), (2n * N).toString(16)])
      expect([text.slice(0, 9), parsePublicNumber(text)]).toEqual([text.slice(0, 9), null]);
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 80n }), (number) => toInteger(pad(number)) === number),
    );
    expect(toInteger(new Uint8Array([1, 2]))).toBe(258n);
  });
});
