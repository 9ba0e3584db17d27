import { execFileSync } from "node:child_process";
import { accessSync, constants, globSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { ROOT } from "./documents.ts";

const read = (path: string): unknown => parse(readFileSync(`${ROOT}${path}`, "utf8"));

describe("the workflow", () => {
  it("runs .ci/run on every push and pull request", () => {
    expect(read(".github/workflows/ci.yml")).toMatchObject({
      on: { push: null, pull_request: null },
      permissions: { contents: "read" },
      jobs: { ci: { steps: expect.arrayContaining([{ run: ".ci/run" }]) } },
    });
    expect(() => accessSync(`${ROOT}.ci/run`, constants.X_OK)).not.toThrow();
  });

  it("checks the signatures of what was installed, and keeps the SBOM that the build makes", () => {
    expect(read(".github/workflows/ci.yml")).toMatchObject({
      jobs: {
        ci: {
          steps: expect.arrayContaining([
            { run: "npm audit signatures" },
            expect.objectContaining({ with: expect.objectContaining({ path: ".cache/sbom.cdx.json" }) }),
          ]),
        },
      },
    });
  });

  it("has every package of a release in the SBOM, and no tool of development", { timeout: 120_000 }, () => {
    execFileSync(process.execPath, ["web/build/sbom.ts"], { cwd: ROOT });
    const { metadata, components } = read(".cache/sbom.cdx.json") as {
      metadata: { component: { name: string } };
      components: { name: string }[];
    };
    const listed = new Set(components.map(({ name }) => name));
    const { name, dependencies, devDependencies } = read("package.json") as {
      name: string;
      dependencies: Record<string, string>;
      devDependencies: Record<string, string>;
    };
    expect(metadata.component.name).toBe(name);
    expect(Object.keys(dependencies).filter((part) => !listed.has(part))).toEqual([]);
    expect(Object.keys(devDependencies).filter((part) => listed.has(part))).toEqual([]);
  });

  it("has dependency updates and issue forms beside it that parse", () => {
    expect(read(".github/dependabot.yml")).toMatchObject({
      version: 2,
      updates: [{ "package-ecosystem": "npm" }, { "package-ecosystem": "github-actions" }],
    });
    const forms = globSync(".github/ISSUE_TEMPLATE/{bug,proposal}.yml", { cwd: ROOT });
    expect(forms).toHaveLength(2);
    for (const form of forms)
      expect(read(form)).toMatchObject({
        name: expect.any(String),
        description: expect.any(String),
        body: expect.any(Array),
      });
  });
});
