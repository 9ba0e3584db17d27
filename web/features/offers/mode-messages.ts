import type { Mode } from "../../../db/shapes/work/filters.ts";
import { m } from "../../messages/messages.js";

/** A mode's name, and what it does. */
export const MODE_MESSAGES: Readonly<Record<Mode, { name: () => string; text: () => string }>> = {
  lucrative: { name: m.mode_lucrative, text: m.mode_lucrative_text },
  secure: { name: m.mode_secure, text: m.mode_secure_text },
  masacre: { name: m.mode_masacre, text: m.mode_masacre_text },
};
