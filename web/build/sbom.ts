import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";

/** The list of what a release consists of (CycloneDX), from the lock file. It is kept with the release, not served. */
const FILE = ".cache/sbom.cdx.json";

const sbom = execFileSync(
  "npm",
  ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only"],
  { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
);
mkdirSync(".cache", { recursive: true });
writeFileSync(FILE, sbom);
