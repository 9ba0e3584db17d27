import { bls12_381 } from "@noble/curves/bls12-381.js";
import { BEACON_SIGNATURE, bytesOfHex } from "./beacon.ts";

// In a file of its own, since the curve is most of the bytes of whoever checks a draw.

/** The domain of drand's scheme `bls-unchained-g1-rfc9380`. */
const DOMAIN = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";
const PUBLIC_KEY = /^[0-9a-f]{192}$/;

/** Whether a signature is that of a round, by the chain's public key. Both in hex. */
export async function isBeaconOf(
  round: number,
  { signature, publicKey }: { signature: string; publicKey: string },
): Promise<boolean> {
  if (!BEACON_SIGNATURE.test(signature) || !PUBLIC_KEY.test(publicKey)) return false;
  const number = new DataView(new ArrayBuffer(8));
  number.setBigUint64(0, BigInt(round));
  const message = new Uint8Array(await crypto.subtle.digest("SHA-256", number.buffer));
  const { shortSignatures } = bls12_381;
  try {
    return shortSignatures.verify(
      bytesOfHex(signature),
      shortSignatures.hash(message, DOMAIN),
      bytesOfHex(publicKey),
    );
  } catch {
    // It is no point of the curve.
    return false;
  }
}
