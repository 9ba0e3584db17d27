import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { unstable_readConfig as readWranglerConfig } from "wrangler";
import { ConfigError, parseConfig, type Config } from "../../../durable/runtime/config.ts";
import { SETTING_WORDS, type SettingName } from "../../../durable/runtime/setting-words.ts";
import { findingsOf, type Finding } from "./means.ts";

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
