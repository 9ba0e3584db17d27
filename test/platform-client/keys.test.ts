import { expect, it } from "vitest";
import { toBase64 } from "../../durable/runtime/base64.ts";
import { createKeys, parseMasterKeys } from "../../durable/runtime/keys.ts";

const raw = (fill: number, length = 32) => toBase64(new Uint8Array(length).fill(fill));
const OLD = `k1:${raw(1)}`;
const NEW = `k2:${raw(2)}`;
const text = { plain: "ção 🚚", context: "driver-1" };

it("opens what it sealed, and never produces the same ciphertext twice", async () => {
  const keys = createKeys(OLD);
  const sealed = await keys.seal("tokens", text);
  expect(sealed).toMatch(/^v1\.k1\.[A-Za-z0-9_-]{16}\.[A-Za-z0-9_-]+$/);
  expect(await keys.seal("tokens", text)).not.toBe(sealed);
  expect(await keys.open("tokens", { sealed, context: "driver-1" })).toBe(text.plain);
});

it("opens nothing with another context, purpose or key, or after a change", async () => {
  const keys = createKeys(OLD);
  const sealed = await keys.seal("tokens", text);
  const [version, id, nonce, cipher = ""] = sealed.split(".");
  const flipped = `${cipher.startsWith("A") ? "B" : "A"}${cipher.slice(1)}`;
  const context = "driver-1";
  expect(
    await Promise.all([
      keys.open("tokens", { sealed, context: "driver-2" }),
      keys.open("seal", { sealed, context }),
      createKeys(NEW).open("tokens", { sealed, context }),
      createKeys(`k1:${raw(9)}`).open("tokens", { sealed, context }),
      keys.open("tokens", { sealed: [version, id, nonce, flipped].join("."), context }),
      keys.open("tokens", { sealed: ["v2", id, nonce, cipher].join("."), context }),
      keys.open("tokens", { sealed: "v1.k1.!.!", context }),
      keys.open("tokens", { sealed: "", context }),
    ]),
  ).toEqual([null, null, null, null, null, null, null, null]);
});

it("seals with the first key and opens what older keys sealed", async () => {
  const before = await createKeys(OLD).seal("tokens", text);
  const rotated = createKeys(`${NEW}, ${OLD}`);
  expect(await rotated.open("tokens", { sealed: before, context: "driver-1" })).toBe(text.plain);
  expect(await rotated.seal("tokens", text)).toMatch(/^v1\.k2\./);
});

it("derives the same 32 bytes each time per purpose, info and key", async () => {
  const keys = createKeys(`${NEW},${OLD}`);
  const [current, older] = await keys.derive("ticket", "live");
  const all = [
    current,
    older,
    ...(await keys.derive("im_here", "live")),
    ...(await keys.derive("ticket", "other")),
  ].map((bytes) => toBase64(bytes ?? new Uint8Array()));
  expect(current).toHaveLength(32);
  expect(new Set(all).size).toBe(6);
  expect((await createKeys(NEW).derive("ticket", "live"))[0]).toEqual(current);
});

it("derives keys as in RFC 5869, like node:crypto", async () => {
  const { hkdfSync } = await import("node:crypto");
  const expected = hkdfSync(
    "sha256",
    new Uint8Array(32).fill(1),
    new Uint8Array(),
    "jornada ticket live",
    32,
  );
  expect((await createKeys(OLD).derive("ticket", "live"))[0]).toEqual(new Uint8Array(expected));
});

it.each([
  ["nothing", ""],
  ["a key without an id", raw(1)],
  ["a key of 16 bytes", `k1:${raw(1, 16)}`],
  ["a key of 33 bytes", `k1:${raw(1, 33)}`],
  ["no Base64", "k1:!!!"],
  ["Base64 that breaks off", `k1:${raw(1).slice(0, 41)}`],
  ["a comma at the end", `${OLD},`],
  ["an id twice", `${OLD},k1:${raw(2)}`],
])("rejects %s with an error that names MASTER_KEYS but contains no key", (_, setting) => {
  let said = "";
  try {
    parseMasterKeys(setting);
  } catch (error) {
    said = String(error);
  }
  expect(said).toContain("MASTER_KEYS");
  expect(said).not.toContain(raw(1).slice(0, 12));
  expect(() => createKeys(setting)).toThrow(TypeError);
});
