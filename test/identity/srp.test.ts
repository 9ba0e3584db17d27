import { expect, it } from "vitest";
import { toBase64 } from "../../durable/runtime/base64.ts";
import { concat, decodeBase64, isEqual, sha256, toHex, utf8 } from "../../worker/identity/bytes.ts";
import {
  computeServerStep,
  makeProof,
  precompute,
  makeVerifier,
  MULTIPLIER,
  N,
  pad,
  modPow,
  modPowOfTwo,
  parsePublicNumber,
  toInteger,
} from "../../worker/identity/protocol/srp.ts";

const POOL = "TestPool1";
const USER = "0f8fad5b-d9cb-469f-a165-70867728950e";
const SALT = 0x8ce8291892390f6b53a245933faf6164n;
const BLOCK = utf8("vector-secret-block");
const TIMESTAMP = "Sat Nov 7 01:02:03 UTC 2026";

function abbreviate(number: bigint): string {
  const hex = number.toString(16);
  return `${hex.slice(0, 16)}..${hex.slice(-16)}`;
}

it("computes the known test vector, up to the client's signature", async () => {
  const party = { pool: POOL, user: USER, password: "Passw0rd!é" };
  const { verifier } = await makeVerifier(party, SALT);
  const a = modPow(2n, BigInt(`0x${"1".repeat(256)}`));
  const { combPowers } = precompute({ salt: SALT, verifier });
  const step = await computeServerStep(a, { combPowers, random: BigInt(`0x${"2".repeat(64)}`) });
  const key = step?.key ?? utf8("");
  const signature = await makeProof(key, { pool: POOL, user: USER, block: BLOCK, timestamp: TIMESTAMP });
  expect({
    verifier: abbreviate(verifier),
    a: [abbreviate(a), a.toString(16).length],
    b: step && [abbreviate(step.b), step.b.toString(16).length],
    key: toHex(key),
    signature: toBase64(signature),
  }).toEqual({
    verifier: "230aa57f0289a8cb..9d4ad8d5bc2275b1",
    a: ["67679d4fea151663..373a857c32e03a6c", 768],
    b: ["a6a705ae9be46a1b..569958ae106cbc17", 767],
    key: "2cc9b0bb24bd21b2397435f6c1fa1166",
    signature: "YTGMs+YuaNhrfMdA5c13qorbzY68ifCnp1M2/IOz3p4=",
  });
});

it("uses the multiplier that the group defines", async () => {
  expect(toInteger(await sha256(concat(pad(N), pad(2n))))).toBe(MULTIPLIER);
});

it("pads a number to whole bytes with a clear top bit, and no further", () => {
  expect([0n, 1n, 0x7fn, 0x80n, 0x1ffn].map((number) => toHex(pad(number)))).toEqual([
    "00",
    "01",
    "7f",
    "0080",
    "01ff",
  ]);
  expect(pad(N)).toHaveLength(385);
});

it("computes the same powers as repeated multiplication", () => {
  let product = 1n;
  for (let exponent = 0n; exponent < 70n; exponent++) {
    expect(modPow(3n, exponent)).toBe(product);
    expect(modPowOfTwo(exponent)).toBe(2n ** exponent);
    product = (product * 3n) % N;
  }
  const widest = 2n ** 256n - 1n;
  for (const exponent of [widest, widest - 2n ** 191n, 2n ** 255n, 2n ** 64n]) {
    expect(modPowOfTwo(exponent)).toBe(modPow(2n, exponent));
  }
});

it("precomputes a verifier's powers", () => {
  const { combPowers } = precompute({ salt: SALT, verifier: 3n });
  expect(combPowers).toEqual([0n, 64n, 128n, 192n].map((bits) => modPow(3n, 2n ** bits)));
});

it("parses a public value in hex of either case, and refuses one that is 0 mod N", () => {
  expect(["f", "0F", "abc"].map(parsePublicNumber)).toEqual([15n, 15n, 0xabcn]);
  const refused = ["", "0", "00", N.toString(16), (2n * N).toString(16), "xyz", "-1", "1".repeat(771)];
  expect(refused.map(parsePublicNumber)).toEqual(refused.map(() => null));
});

it("decodes base64", () => {
  expect(decodeBase64(toBase64(BLOCK))).toEqual(BLOCK);
  expect(decodeBase64("not base64")).toBeNull();
});

it("compares bytes by every byte and by length", () => {
  const bytes = (...values: number[]) => new Uint8Array(values);
  expect(isEqual(bytes(1, 2, 3), bytes(1, 2, 3))).toBe(true);
  const others = [bytes(0, 2, 3), bytes(1, 0, 3), bytes(1, 2, 0), bytes(1, 2), bytes(1, 2, 3, 0), bytes()];
  expect(others.map((other) => isEqual(bytes(1, 2, 3), other))).toEqual(others.map(() => false));
  expect(isEqual(bytes(0), bytes())).toBe(false);
});
