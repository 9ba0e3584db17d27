import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import * as z from "zod";

/** The list of what a release consists of (CycloneDX), from the lock file. It is kept with the release, not served. */
const FILE = ".cache/sbom.cdx.json";

const sbom = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ name: z.string() }) }),
  components: z.array(z.looseObject({ "bom-ref": z.string(), scope: z.string() })),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

// `--omit dev` would leave out what a tool of development needs too: React, Zod.
const text = execFileSync(
  "npm",
  ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application", "--package-lock-only"],
  { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
);
const all = sbom.parse(JSON.parse(text));
const manifest = z.object({ name: z.string() }).parse(JSON.parse(readFileSync("package.json", "utf8")));

// npm names the root by its folder.
all.metadata.component.name = manifest.name;
const optional = new Set(
  all.components.filter(({ scope }) => scope !== "required").map((component) => component["bom-ref"]),
);
const released = {
  ...all,
  components: all.components.filter((component) => !optional.has(component["bom-ref"])),
  dependencies: all.dependencies
    .filter(({ ref }) => !optional.has(ref))
    .map((dependency) => ({
      ...dependency,
      dependsOn: dependency.dependsOn.filter((ref) => !optional.has(ref)),
    })),
};
mkdirSync(".cache", { recursive: true });
writeFileSync(FILE, JSON.stringify(released, null, 2));
