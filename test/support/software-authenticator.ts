import { concat, utf8 } from "../../worker/identity/bytes.ts";
import { fromBase64Url, toBase64Url } from "../../durable/runtime/base64.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** The flags of authenticator data (WebAuthn, section 6.1). */
const PRESENT = 0x01;
const VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/** Differences from an honest authenticator on the right page. */
export type Deviation = {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  /** Without a finger or PIN. */
  isUnverified?: boolean;
  /** Shows this count in place of the next one. */
  counter?: number;
  userHandle?: string | null;
  /** Signs with another key. */
  isForged?: boolean;
};

/** An authenticator in software: discoverable ES256 credentials, attestation `none`, a count that rises with each signature. */
export async function createAuthenticator(origin = "https://jornada.test") {
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  const [pair, foreign] = await Promise.all([
    crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]),
    crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]),
  ]);
  const id = crypto.getRandomValues(new Uint8Array(16));
  const credentialId = toBase64Url(id);
  let userHandle: string | null = null;
  let counter = 0;

  const clientData = (type: string, challenge: string, from: string) =>
    utf8(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }));
  const dataOf = async (rpId: string, flags: number, count: number, rest: Bytes = new Uint8Array()) => {
    const head = new Uint8Array(5);
    new DataView(head.buffer).setUint8(0, flags);
    new DataView(head.buffer).setUint32(1, count);
    return concat(await sha256(utf8(rpId)), head, rest);
  };

  return {
    credentialId,
    /** The count that it showed last. */
    count: () => counter,
    /** Makes the credential that a page asks for, as `PublicKeyCredential.toJSON()` writes it. */
    async create(options: unknown, change: Deviation = {}) {
      const { challenge, rp, user } = Object(options);
      userHandle = user.id;
      const { x = "", y = "" } = await crypto.subtle.exportKey("jwk", pair.publicKey);
      const key = cborMap([
        [cborInt(1), cborInt(2)],
        [cborInt(3), cborInt(-7)],
        [cborInt(-1), cborInt(1)],
        [cborInt(-2), cborBytes(fromBase64Url(x))],
        [cborInt(-3), cborBytes(fromBase64Url(y))],
      ]);
      const credential = concat(new Uint8Array(16), Uint8Array.of(0, id.length), id, key);
      const flags = PRESENT | HAS_CREDENTIAL | (change.isUnverified ? 0 : VERIFIED);
      const data = await dataOf(change.rpId ?? rp.id, flags, counter, credential);
      const attestation = cborMap([
        [cborText("fmt"), cborText("none")],
        [cborText("attStmt"), cborMap([])],
        [cborText("authData"), cborBytes(data)],
      ]);
      return {
        id: credentialId,
        rawId: credentialId,
        type: "public-key",
        response: {
          clientDataJSON: toBase64Url(
            clientData(
              change.type ?? "webauthn.create",
              change.challenge ?? challenge,
              change.origin ?? origin,
            ),
          ),
          attestationObject: toBase64Url(attestation),
          transports: ["internal"],
        },
      };
    },
    /** Signs in, likewise. */
    async sign(options: unknown, change: Deviation = {}) {
      const { challenge, rpId } = Object(options);
      counter = change.counter ?? counter + 1;
      const flags = PRESENT | (change.isUnverified ? 0 : VERIFIED);
      const data = await dataOf(change.rpId ?? rpId, flags, counter);
      const client = clientData(
        change.type ?? "webauthn.get",
        change.challenge ?? challenge,
        change.origin ?? origin,
      );
      const { privateKey } = change.isForged ? foreign : pair;
      const raw = new Uint8Array(
        await crypto.subtle.sign(
          { name: "ECDSA", hash: "SHA-256" },
          privateKey,
          concat(data, await sha256(client)),
        ),
      );
      return {
        id: credentialId,
        rawId: credentialId,
        type: "public-key",
        response: {
          clientDataJSON: toBase64Url(client),
          authenticatorData: toBase64Url(data),
          signature: toBase64Url(toDer(raw)),
          userHandle: change.userHandle === undefined ? userHandle : change.userHandle,
        },
      };
    },
  };
}

export type Authenticator = Awaited<ReturnType<typeof createAuthenticator>>;

async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** A signature as authenticators write it: an ASN.1 sequence of two integers. */
function toDer(raw: Bytes): Bytes {
  const parts = [raw.slice(0, 32), raw.slice(32)].map(toDerInteger);
  const body = concat(...parts);
  return concat(Uint8Array.of(0x30, body.length), body);
}

function toDerInteger(bytes: Bytes): Bytes {
  const start = Math.max(
    0,
    bytes.findIndex((byte) => byte !== 0),
  );
  const digits = bytes.slice(start);
  const positive = (digits[0] ?? 0) > 0x7f ? concat(Uint8Array.of(0), digits) : digits;
  return concat(Uint8Array.of(0x02, positive.length), positive);
}

function cborHead(major: number, value: number): Bytes {
  if (value < 24) return Uint8Array.of((major << 5) | value);
  if (value < 256) return Uint8Array.of((major << 5) | 24, value);
  return Uint8Array.of((major << 5) | 25, value >> 8, value & 0xff);
}

const cborInt = (value: number): Bytes => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value));
const cborBytes = (bytes: Bytes): Bytes => concat(cborHead(2, bytes.length), bytes);
const cborText = (text: string): Bytes => concat(cborHead(3, utf8(text).length), utf8(text));
const cborMap = (entries: readonly (readonly [Bytes, Bytes])[]): Bytes =>
  concat(cborHead(5, entries.length), ...entries.flat());
