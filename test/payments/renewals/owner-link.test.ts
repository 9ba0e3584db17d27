import { describe, expect, it } from "vitest";
import { createKeys } from "../../../durable/runtime/keys.ts";
import { makeOwnerLink, readOwnerLink } from "../../../worker/payments/owner-link.ts";

const ID = "6f0c6f6e-5f0e-4c0c-9d56-0123456789ab";
const OLD = `a:${btoa("a".repeat(32))}`;
const NEW = `b:${btoa("b".repeat(32))}`;
const keys = createKeys(OLD);

async function linkOf(id = ID): Promise<string> {
  return (await makeOwnerLink(keys, "renewal", id)) ?? "none";
}

describe("an owner's link", () => {
  it("names its id to nobody but us, and always by the same token", async () => {
    const token = await linkOf();
    expect(token).toMatch(/^[\w-]{38}$/);
    expect(await linkOf()).toBe(token);
    expect(await readOwnerLink(keys, "renewal", token)).toBe(ID);
  });

  it("holds after the master keys rotated, and not once the old one is gone", async () => {
    const token = await linkOf();
    expect(await readOwnerLink(createKeys(`${NEW},${OLD}`), "renewal", token)).toBe(ID);
    expect(await readOwnerLink(createKeys(NEW), "renewal", token)).toBeNull();
  });

  it("does nothing but what it was made for", async () => {
    expect(await readOwnerLink(keys, "receipts", await linkOf())).toBeNull();
  });

  it("is refused with any of its letters changed", async () => {
    const token = await linkOf();
    const changed = [...token].map((letter, at) => {
      return `${token.slice(0, at)}${letter === "A" ? "B" : "A"}${token.slice(at + 1)}`;
    });
    const read = await Promise.all(changed.map((other) => readOwnerLink(keys, "renewal", other)));
    expect(read.filter((id) => id !== null)).toEqual([]);
  });

  it("has one form, whatever bits of its last letter stand for nothing", async () => {
    const token = await linkOf();
    const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"];
    const forms = letters.map((letter) => `${token.slice(0, -1)}${letter}`);
    const read = await Promise.all(forms.map((form) => readOwnerLink(keys, "renewal", form)));
    expect(forms.filter((_, at) => read[at] !== null)).toEqual([token]);
  });

  it.each(["", "x", "x".repeat(37), "x".repeat(39), "ä".repeat(38), `${"x".repeat(37)}=`])(
    "is refused where it is none: %j",
    async (token) => {
      expect(await readOwnerLink(keys, "renewal", token)).toBeNull();
    },
  );

  it("is made for no id of another form", async () => {
    expect(await makeOwnerLink(keys, "renewal", "p1")).toBeNull();
    expect(await makeOwnerLink(keys, "renewal", ID.toUpperCase())).toBeNull();
    expect(await makeOwnerLink(keys, "renewal", `${ID}0`)).toBeNull();
    expect(await makeOwnerLink(keys, "renewal", `0${ID}`)).toBeNull();
  });
});
