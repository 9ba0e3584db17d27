import { findingsOf, type Check } from "./means.ts";

const CONFORM = "test/platform/conform/main.ts";
/** With an account, it waits for an approval and an offer. */
const LIMIT_MS = 30_000;
const ACCOUNT_LIMIT_MS = 180_000;

/** Whether the platform keeps its contract, as the conform program finds it: without an account, how it refuses. */
export const checkPlatform: Check = async ({ config, run, platformEmail }) => {
  const { right, wrong, unasked } = findingsOf("platform");
  if (config.isBroken("capture")) return [unasked("its settings are not sound")];
  const limitMs = platformEmail === null ? LIMIT_MS : ACCOUNT_LIMIT_MS;
  const account = platformEmail === null ? [] : ["--email", platformEmail];
  const { code, output } = await run([CONFORM, "--url", config.platform.url, ...account], limitMs);
  const told = output.split("\n").map((line) => /^(kept|differs|harms) +(.+)$/.exec(line) ?? []);
  const found = told.flatMap(([, verdict, what]) => (verdict && what ? [{ verdict, what }] : []));
  const of = (wanted: string) => found.filter(({ verdict }) => verdict === wanted);
  if (code === null || found.length === 0)
    return [
      wrong(
        `it gave no answer in ${limitMs / 1000} s: look at PLATFORM_URL and at the platform's own status`,
      ),
    ];
  const scope = platformEmail === null ? "without an account" : "with an account";
  return [
    ...of("harms").map(({ what }) => wrong(`${what} Show it to the platform's operators`)),
    ...of("differs").map(({ what }) =>
      wrong(`it differs from its contract: ${what} Show it to the platform's operators`),
    ),
    ...(of("harms").length + of("differs").length === 0
      ? [right(`it keeps its contract in all ${found.length} points that were tried ${scope}`)]
      : []),
  ];
};
