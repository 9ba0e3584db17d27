import { PART_OF, SETTING_PARTS } from "../../durable/runtime/setting-groups.ts";
import {
  SETTING_GROUPS,
  SETTING_TOPICS,
  SETTING_WORDS,
  type SettingName,
} from "../../durable/runtime/setting-words.ts";

type Words = {
  purpose: string;
  form: string;
  default?: string;
  unset?: string;
  isRequired?: true;
  isSecret?: true;
  note?: string;
};

/** The text of durable/runtime/SETTINGS.md, made from the words that the log shows for a refused setting. */
export function renderSettings(): string {
  const topics = Object.entries(SETTING_TOPICS).map(([topic, words]) => {
    const rows = Object.keys(words).map((name) => row(name as SettingName));
    return [`## ${topic}`, "", "| setting | default | what it is |", "|---|---|---|", ...rows, ""].join("\n");
  });
  const required = Object.keys(SETTING_WORDS).filter((name) => wordsOf(name as SettingName).isRequired);
  return `# Settings

A test makes this page from \`durable/runtime/setting-words.ts\` and the files beside it. After a change there, write it anew:

    npx vitest run --config test/unit.config.ts settings-page --update

${required.map((name) => `\`${name}\``).join(", ")} are required. A setting that is missing or malformed stops
what needs it (below) and nothing else; \`config.invalid\` in the log names it with its purpose, and so do \`/status/health\` and an alert. Secrets are put with wrangler, the rest is under \`[vars]\` in \`wrangler.toml\`; the
[handbook](../../worker/operators/HANDBOOK.md#from-an-empty-account-to-the-first-paying-driver) sets them in order. A
support contact or address that isn't set isn't shown.

${topics.join("\n")}
## What a malformed setting stops

| part | settings | what stops |
|---|---|---|
${parts().join("\n")}
`;
}

function parts(): string[] {
  return Object.entries(SETTING_PARTS).map(([part, stops]) => {
    const names = Object.entries(PART_OF).flatMap(([name, of]) => (of === part ? [`\`${name}\``] : []));
    return `| ${part} | ${names.join(", ")} | ${stops} |`;
  });
}

function wordsOf(name: SettingName): Words {
  return SETTING_WORDS[name];
}

function row(name: SettingName): string {
  const { purpose, form, unset, isRequired, isSecret, note, ...rest } = wordsOf(name);
  const value =
    rest.default === undefined ? (isRequired ? "required" : (unset ?? "–")) : `\`${rest.default}\``;
  const partners = SETTING_GROUPS.find((group: readonly string[]) => group.includes(name))?.filter(
    (one) => one !== name,
  );
  const sentences = [
    `${capitalize(purpose)}: ${form}`,
    ...(note ? [capitalize(note)] : []),
    ...(partners ? [`Only together with ${partners.map((one) => `\`${one}\``).join(" and ")}`] : []),
  ];
  return `| \`${name}\`${isSecret ? " (secret)" : ""} | ${value} | ${sentences.join(". ").replaceAll("|", "\\|")} |`;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
