import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { URL } from "node:url";
import * as z from "zod";
import { SimulatedD1 } from "../world/host/d1.ts";

// The part of `cloudflare:workers` that `test/identity` needs, for a run in Node, where a file starts in a tenth of the
// time.
const folder = new URL("../../db/migrations/", import.meta.url);

const MIGRATIONS = readdirSync(folder)
  .filter((name) => name.endsWith(".sql"))
  .toSorted()
  .map((name) => ({
    name,
    queries: readFileSync(new URL(name, folder), "utf8").split("--> statement-breakpoint"),
  }));

const DB = new SimulatedD1(folder).bind(async (work) => work());

export const env = { DB, MIGRATIONS };

// Most of a test's time goes into making its two signing keys. They are made once for all runs, and handed out in turn.
const KEY_COUNT = 12;
const RSA = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
const cache = new URL("../../.cache/", import.meta.url);
const keyFile = new URL("test-signing-keys.json", cache);

function loadKeys(): KeyObject[] {
  if (!existsSync(keyFile)) {
    const made = Array.from({ length: KEY_COUNT }, () =>
      generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" }),
    );
    mkdirSync(cache, { recursive: true });
    writeFileSync(keyFile, JSON.stringify(made));
  }
  const kept = z.array(z.string()).parse(JSON.parse(readFileSync(keyFile, "utf8")));
  return kept.map((pem) => createPrivateKey(pem));
}

const keys = loadKeys();
let handedOut = 0;

function nextKeyPair() {
  const key = keys[handedOut % KEY_COUNT];
  handedOut += 1;
  if (!key) throw new Error("there are no keys");
  return {
    privateKey: key.toCryptoKey(RSA, true, ["sign"]),
    publicKey: createPublicKey(key).toCryptoKey(RSA, true, ["verify"]),
  };
}

const generateKey = crypto.subtle.generateKey.bind(crypto.subtle);
Object.defineProperty(crypto.subtle, "generateKey", {
  value: async (...given: Parameters<typeof generateKey>) => {
    const isSigning = typeof given[0] === "object" && given[0].name === RSA.name;
    return isSigning ? nextKeyPair() : generateKey(...given);
  },
});
