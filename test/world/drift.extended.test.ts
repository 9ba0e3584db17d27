import { execFile } from "node:child_process";
import { fileURLToPath, URL } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

it("tells of what is held, of what can't be read and of what changed, whichever fields of its answers the platform changes", async () => {
  const { stdout } = await promisify(execFile)(
    `${root}/node_modules/.bin/node`,
    ["test/world/drift/main.ts", "--sample", "60"],
    { cwd: root },
  ).catch((error: { stdout: string; stderr: string }) => ({ stdout: `${error.stdout}${error.stderr}` }));
  expect(stdout).toMatch(/held and untold 0, looking in vain 0, not named 0/);
});
