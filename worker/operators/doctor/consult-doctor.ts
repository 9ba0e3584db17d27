import { readConsoleAccess } from "../console-client.ts";
import { describeFindings, examine } from "./doctor.ts";
import { runProgram } from "./run-program.ts";
import { examineSettings, gatherSettings } from "./settings-at-hand.ts";

/** How long an answer of an outside service may take. */
const LIMIT_MS = 10_000;

type Typed = { before: boolean; config: string; "secrets-file": string; email?: string | undefined };

/** `npm run ops -- doctor`: asks each outside service with the settings at hand. Changes nothing. */
export async function consultDoctor(
  typed: Typed,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ lines: string[]; isWell: boolean }> {
  const settings = gatherSettings({ wranglerFile: typed.config, secretsFile: typed["secrets-file"], env });
  const { config, findings } = examineSettings(settings);
  if (config === null) return describeFindings(findings);
  const found = await examine({
    config,
    access: readConsoleAccess({ PUBLIC_URL: config.publicUrl, ...env }),
    isBefore: typed.before,
    platformEmail: typed.email ?? null,
    send: (request) => fetch(request),
    run: runProgram,
    now: () => Date.now(),
    limitMs: LIMIT_MS,
  });
  return describeFindings([...findings, ...found]);
}
