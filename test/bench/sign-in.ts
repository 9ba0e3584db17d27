import { randomBytes } from "node:crypto";
import {
  computeServerStep,
  precompute,
  makeVerifier,
  N,
  modPow,
} from "../../worker/identity/protocol/srp.ts";

const ROUNDS = 200;

export type SignInFigures = {
  /** The server's first step of a sign-in by SRP. */
  stepMs: number;
  /** One modular exponentiation in the same group, with a 256-bit exponent. */
  powerMs: number;
  ratio: number;
};

/** Measures the CPU time of a sign-in's first step and of one modular exponentiation: medians of interleaved runs. */
export async function benchSignIn(): Promise<SignInFigures> {
  const party = { pool: "Bench1", user: "somebody", password: "Jornada-1-demo" };
  const { combPowers } = precompute(await makeVerifier(party, randomBigInt(16)));
  const steps: number[] = [];
  const powers: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const a = randomBigInt(384) % N;
    const exponent = randomBigInt(32);
    const startedAt = performance.now();
    await computeServerStep(a, { combPowers, random: exponent });
    const steppedAt = performance.now();
    modPow(a, exponent);
    steps.push(steppedAt - startedAt);
    powers.push(performance.now() - steppedAt);
  }
  const [stepMs, powerMs] = [median(steps), median(powers)];
  return { stepMs, powerMs, ratio: stepMs / powerMs };
}

function randomBigInt(bytes: number): bigint {
  return BigInt(`0x${randomBytes(bytes).toString("hex")}`);
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
}

if (import.meta.main) console.log(await benchSignIn());
