import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { unstable_readConfig as readWranglerConfig } from "wrangler";
import { execFile } from "node:child_process";
import { fileURLToPath, URL } from "node:url";
import { ConfigError, parseConfig, type Config } from "../../../durable/runtime/config.ts";
import { SETTING_WORDS, type SettingName } from "../../../durable/runtime/setting-words.ts";
import { nearestNames } from "../arguments.ts";
import { accessToDeployment } from "../console-client.ts";
import { checkCards } from "./check-cards.ts";
import { checkChat, checkNotifications, checkPlatform, checkRegistering } from "./check-services.ts";
import { checkConsole, checkDeployment } from "./check-deployment.ts";
import { checkDatabase } from "./check-database.ts";
import { checkTexts } from "./check-texts.ts";
import { type Check, type Finding, type Means, findingsOf, type Ended } from "./means.ts";

/** How long an answer of an outside service may take. */
const LIMIT_MS = 10_000;

type Typed = { before: boolean; config: string; "secrets-file": string; email?: string | undefined };

/** `npm run ops -- doctor`: asks each outside service with the settings at hand. Changes nothing. */
export async function consultDoctor(
  typed: Typed,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ lines: string[]; isWell: boolean }> {
  const settings = gatherSettings({ wranglerFile: typed.config, secretsFile: typed["secrets-file"], env });
  const { config, findings: examined } = examineSettings(settings);
  const findings = [...examined, ...findUnknown(Object.keys(settings)), ...findPlain(settings)];
  if (config === null) return describeFindings(findings);
  const found = await examine({
    config,
    access: accessToDeployment(config, env),
    isBefore: typed.before,
    platformEmail: typed.email ?? null,
    send: (request) => fetch(request),
    run: runProgram,
    now: () => Date.now(),
    limitMs: LIMIT_MS,
  });
  return describeFindings([...findings, ...found]);
}

const CHECKS: readonly Check[] = [
  checkDatabase,
  checkPlatform,
  checkTexts,
  checkRegistering,
  checkCards,
  checkConsole,
  checkNotifications,
  checkChat,
  checkDeployment,
];

/** Asks each outside service, all at once. */
export async function examine(means: Means): Promise<Finding[]> {
  return (await Promise.all(CHECKS.map((check) => check(means)))).flat();
}

/** A line for each finding, and whether nothing is wrong. */
export function describeFindings(findings: readonly Finding[]): { lines: string[]; isWell: boolean } {
  const count = (verdict: Finding["verdict"]) => findings.filter((found) => found.verdict === verdict).length;
  const lines = findings.map(
    ({ verdict, about, words }) => `${verdict.padEnd(9)}${about.padEnd(15)}${words}`,
  );
  const sums = `${count("right")} right, ${count("wrong")} wrong, ${count("unasked")} not asked`;
  return { lines: [...lines, sums], isWell: count("wrong") === 0 };
}

/** Stands for a master key that isn't at hand, so that the other settings can be read. It seals nothing. */
const NO_KEY = `none:${Buffer.alloc(32).toString("base64")}`;

const { right, wrong, unasked } = findingsOf("settings");
const NAMES = Object.keys(SETTING_WORDS) as SettingName[];

type Source = {
  /** The path of wrangler.toml, whose `[vars]` hold what is no secret. */
  wranglerFile: string;
  /** The path of a file with a line for each secret; null or missing: there is none. */
  secretsFile: string | null;
  env: Readonly<Record<string, string | undefined>>;
};

/** The settings of wrangler.toml, of the secrets' file and of the environment, the last first. */
export function gatherSettings({ wranglerFile, secretsFile, env }: Source): Record<string, unknown> {
  const { vars } = readWranglerConfig({ config: wranglerFile }, { hideWarnings: true });
  const secrets =
    secretsFile !== null && existsSync(secretsFile) ? parseEnv(readFileSync(secretsFile, "utf8")) : {};
  const given = Object.fromEntries(NAMES.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
  return { ...vars, ...secrets, ...given };
}

/** Finds what is no setting: the deployment ignores a mistyped one, and does without the one that was meant. */
export function findUnknown(names: readonly string[]): Finding[] {
  const known: readonly string[] = NAMES;
  return names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const [nearest] = nearestNames(name, known);
      return wrong(`${name} is no setting, and does nothing: take it out, or did you mean ${nearest}?`);
    });
}

/**
 * Finds addresses without encryption: passwords and keys go in the clear, and at such an address of drivers' a browser has
 * neither passkeys nor notifications.
 */
export function findPlain(settings: Readonly<Record<string, unknown>>): Finding[] {
  return NAMES.filter((name) => {
    const value = String(settings[name] ?? "").trim();
    if (!name.endsWith("_URL") || !value.startsWith("http:") || !URL.canParse(value)) return false;
    return !/(?:^|\.)localhost$|^127\.|^\[::1\]$/.test(new URL(value).hostname);
  }).map((name) => wrong(`${name} begins with http, without encryption: put https`));
}

/** Reads settings, and says which are wrong. `config` is null where nothing can be asked. */
export function examineSettings(settings: Readonly<Record<string, unknown>>): {
  config: Config | null;
  findings: Finding[];
} {
  const isGiven = (name: SettingName) => String(settings[name] ?? "").trim() !== "";
  const hasKeys = isGiven("MASTER_KEYS");
  try {
    const config = parseConfig(hasKeys ? settings : { ...settings, MASTER_KEYS: NO_KEY });
    const findings = config.problems.map(({ name, problem }) =>
      isSecret(name) && !isGiven(name) ? unasked(`${name} isn't at hand`) : wrong(problem),
    );
    if (!hasKeys) findings.push(unasked("MASTER_KEYS isn't at hand"));
    const isWell = findings.every(({ verdict }) => verdict !== "wrong");
    return { config, findings: isWell ? [right("what is at hand is sound"), ...findings] : findings };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { config: null, findings: error.message.split("\n").map(wrong) };
  }
}

function isSecret(name: SettingName): boolean {
  return "isSecret" in SETTING_WORDS[name];
}

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** Runs a program of this folder, and stops it at its limit. Never throws. */
export function runProgram(program: readonly string[], limitMs: number): Promise<Ended> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      program,
      // Nobody is there to answer a question of it.
      { cwd: ROOT, timeout: limitMs, env: { ...process.env, CI: "1" } },
      (error, output) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : null;
        resolve({ code, output });
      },
    );
    child.stdin?.end();
  });
}
