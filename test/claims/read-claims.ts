import english from "../../locales/en.json" with { type: "json" };
import type { TreeLine } from "./accessibility-tree.ts";
import { patternOf } from "./message-pattern.ts";
import { PRESSES, SAID_VALUES, STATEMENTS, TERMS, type About } from "./statements.ts";
import type { ScreenPath } from "./states.ts";

/** A statement of a screen about one thing, and the line that makes it. */
export type Claim = { about: About; says: string; line: string };

const VALUES = SAID_VALUES.map((value) => ({ ...value, pattern: patternOf(value.key) }));
const QUOTED = patternOf("switch_last_known");
const BEFORE = patternOf("your_week_before");
/** `1 Captured`, `1 block`. */
const CAPTURED = new RegExp(`^(?<count>\\d+) ${english.today_captured}$`, "u");
const BLOCKS = /^(?<count>\d+) blocks?$/u;

/** The claims of a screen in English. An offline screen's quote of the last known state is no claim about now. */
export function readClaims(tree: readonly TreeLine[], screen: ScreenPath): Claim[] {
  return [...tree.flatMap(claimsOf), ...figuresOf(tree, screen), ...attentionOf(tree)];
}

function claimsOf({ role, text, isDisabled }: TreeLine): Claim[] {
  const control = PRESSES.find((press) => press.role === role && press.pattern.test(text));
  if (control && isDisabled) return [];
  const pressed: Claim[] = control ? [{ about: "press", says: control.says, line: text }] : [];
  if (control || QUOTED.test(text)) return pressed;
  return [
    ...STATEMENTS.filter(({ pattern }) => pattern.test(text)),
    ...VALUES.flatMap(({ about, says, pattern }) => {
      const groups = pattern.exec(text)?.groups;
      return groups ? [{ about, says: says(groups) }] : [];
    }),
  ].map(({ about, says }) => ({ about, says, line: text }));
}

/** The definitions of terms that stand for sums, and the counts of today. */
function figuresOf(tree: readonly TreeLine[], screen: ScreenPath): Claim[] {
  let term = "";
  let index = 0;
  return tree.flatMap(({ role, text }): Claim[] => {
    const count = role === "link" && CAPTURED.exec(text)?.groups?.["count"];
    if (count) return [{ about: "todayBlocks", says: count, line: text }];
    if (role === "term") [term, index] = [text, 0];
    if (role !== "definition") return [];
    const known = TERMS.find((each) => each.screen === screen && english[each.key] === term);
    const about = known?.about[index++];
    const says = BEFORE.exec(text)?.groups?.["figure"] ?? BLOCKS.exec(text)?.groups?.["count"] ?? text;
    return about === undefined ? [] : [{ about, says, line: `${term}: ${text}` }];
  });
}

/** The lines of a list that want attention, beside the sentence that counts them. */
function attentionOf(tree: readonly TreeLine[]): Claim[] {
  const lines = tree.filter(
    ({ role, text }) => role === "heading" && text.endsWith(english.check_state_attention),
  );
  const counted = tree.flatMap(({ role, text }) => {
    const count = role === "status" && /^(?<count>\d+) things? to look at\.$/u.exec(text)?.groups?.["count"];
    return count ? [{ about: "attention" as const, says: count, line: text }] : [];
  });
  if (lines.length === 0 && counted.length === 0) return [];
  const line = lines.map(({ text }) => text).join(", ");
  return [...counted, { about: "attention", says: String(lines.length), line }];
}
