import { bls12_381 } from "@noble/curves/bls12-381.js";
import { describe, expect, it, vi } from "vitest";
import { beaconRandomness, beaconRoundFrom, beaconTime, QUICKNET } from "../../db/shapes/money/beacon.ts";
import { isBeaconOf } from "../../db/shapes/money/verify-beacon.ts";
import { fetchBeacon } from "../../worker/payments/raffles.ts";

/** Quicknet's round 1000, as drand publishes it. */
const ROUND = 1000;
const SIGNATURE =
  "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39";
const { publicKey } = QUICKNET;

describe("the public beacon", () => {
  it("has rounds every three seconds, and the next one for each instant", () => {
    const at = Date.UTC(2023, 7, 23, 15, 59, 24);
    expect(beaconTime(ROUND)).toBe(at);
    expect([at - 1, at, at + 1, at + 3000].map(beaconRoundFrom)).toEqual([1000, 1000, 1001, 1001]);
    expect(beaconRoundFrom(0)).toBe(1);
  });

  it("has the randomness that drand publishes", async () => {
    expect(await beaconRandomness(SIGNATURE)).toBe(
      "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd",
    );
  });

  it("is verified by drand's public key", async () => {
    expect(await isBeaconOf(ROUND, { signature: SIGNATURE, publicKey })).toBe(true);
  });

  const other = bls12_381.shortSignatures.getPublicKey(new Uint8Array(32).fill(1)).toHex(true);
  it.each([
    ["another round", ROUND + 1, SIGNATURE, publicKey],
    ["another chain", ROUND, SIGNATURE, other],
    ["a point that isn't the signature", ROUND, bls12_381.G1.Point.BASE.toHex(true), publicKey],
    ["the point at infinity", ROUND, `c${"0".repeat(95)}`, publicKey],
    ["what is no point", ROUND, "f".repeat(96), publicKey],
    ["what is no hex", ROUND, "x".repeat(96), publicKey],
    ["half a signature", ROUND, SIGNATURE.slice(0, 48), publicKey],
    ["a key that is none", ROUND, SIGNATURE, "f".repeat(192)],
    ["the key at infinity", ROUND, SIGNATURE, `c${"0".repeat(191)}`],
  ])("is refused for %s", async (_name, round, signature, key) => {
    expect(await isBeaconOf(round, { signature, publicKey: key })).toBe(false);
  });
});

describe("fetching a round", () => {
  const ask = async (answer: () => Promise<Response>) => {
    const asked: string[] = [];
    const reasons: unknown[] = [];
    const signature = await fetchBeacon(
      {
        config: { beacon: { url: QUICKNET.url, publicKey } },
        send: async (request) => {
          asked.push(request.url);
          return answer();
        },
        log: (_level, _event, fields) => void reasons.push(fields?.["reason"]),
      },
      { round: ROUND, publicKey },
    );
    return { signature, asked, reasons };
  };

  it("asks drand's servers for it by its number, and verifies it", async () => {
    expect(await ask(async () => Response.json({ round: ROUND, signature: SIGNATURE }))).toEqual({
      signature: SIGNATURE,
      asked: [`${QUICKNET.url}/public/1000`],
      reasons: [],
    });
  });

  it.each<[string, () => Promise<Response>, string]>([
    ["comes late", async () => new Response("", { status: 425 }), "status 425"],
    ["is unreadable", async () => new Response("<html>"), "SyntaxError"],
    ["is of another shape", async () => Response.json({ round: ROUND }), "unreadable"],
    [
      "is another one",
      async () => Response.json({ round: ROUND + 1, signature: SIGNATURE }),
      "another round",
    ],
    [
      "has a wrong signature",
      async () => Response.json({ round: ROUND, signature: SIGNATURE.replace("b4", "a4") }),
      "wrong signature",
    ],
    ["isn't answered", () => Promise.reject(new TypeError("fetch failed")), "TypeError"],
  ])("gets nothing where it %s, and logs why", async (_name, answer, reason) => {
    expect(await ask(answer)).toMatchObject({ signature: null, reasons: [reason] });
  });

  it("gives up on a server that takes too long", async () => {
    const timeout = vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.abort());
    let isGivenUp = false;
    const send = async ({ signal }: Request) => {
      isGivenUp = signal.aborted;
      return Response.json({});
    };
    const config = { beacon: { url: QUICKNET.url, publicKey } };
    await fetchBeacon({ config, send, log: () => {} }, { round: ROUND, publicKey });
    timeout.mockRestore();
    expect(isGivenUp).toBe(true);
  });
});
