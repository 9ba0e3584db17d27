import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");

describe("a migration", () => {
  it("takes nothing from the former release, which runs on it during a deployment and after a rollback", () => {
    const files = readdirSync(new URL("db/migrations/", root)).filter((name) => name.endsWith(".sql"));
    const taking = files.filter((name) => /DROP (TABLE|COLUMN)|RENAME/i.test(read(`db/migrations/${name}`)));
    // The changelog says that the release before it runs no more.
    expect(taking).toEqual(["0003_identity_without_devices.sql"]);
  });
});
