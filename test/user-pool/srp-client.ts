import { toBase64 } from "../../durable/runtime/base64.ts";
import { concat, hkdf, hmac, sha256, utf8 } from "../../worker/identity/bytes.ts";
import { modPow, MULTIPLIER, N, pad, toInteger } from "../../worker/identity/protocol/srp.ts";

/** A client that does in milliseconds what the real ones of `test/identity` take a second for. Its secret is no secret. */
const SECRET = 5n;
const NUMBER = 2n ** SECRET;

/** Its public number, `SRP_A`. */
export const CLIENT_NUMBER = NUMBER.toString(16);

/** The responses to a PASSWORD_VERIFIER challenge. */
export async function signProof(
  { SALT, SRP_B, SECRET_BLOCK = "" }: Record<string, string>,
  login: { pool: string; user: string; password: string },
  TIMESTAMP: string,
): Promise<Record<string, string>> {
  const b = BigInt(`0x${SRP_B}`);
  const u = toInteger(await sha256(concat(pad(NUMBER), pad(b))));
  const inner = await sha256(utf8(`${login.pool}${login.user}:${login.password}`));
  const x = toInteger(await sha256(concat(pad(BigInt(`0x${SALT}`)), inner)));
  const base = (((b - MULTIPLIER * modPow(2n, x)) % N) + N) % N;
  const shared = modPow(base, SECRET + u * x);
  const key = await hkdf(pad(shared), { salt: pad(u), info: "Caldera Derived Key", length: 16 });
  const block = Uint8Array.from(atob(SECRET_BLOCK), (letter) => letter.charCodeAt(0));
  const signed = concat(utf8(login.pool), utf8(login.user), block, utf8(TIMESTAMP));
  return {
    PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK,
    PASSWORD_CLAIM_SIGNATURE: toBase64(await hmac(key, signed)),
    TIMESTAMP,
  };
}
