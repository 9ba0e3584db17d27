import * as z from "zod/mini";
import { language } from "../../db/shapes/language.ts";
import { epochMs } from "../../db/shapes/units.ts";

/** GET /flex/v1/undo: the change that the link in a text undoes. */
export const undoResponse = z.object({
  kind: z.enum(["phone", "password", "factors"]),
  changedAt: epochMs,
  /** The link works until then, once. */
  expiresAt: epochMs,
  /** The number that the account has afterwards: its last four digits. */
  phoneEnd: z.string(),
  /** What the text was written in. */
  language,
});
export type UndoResponse = z.infer<typeof undoResponse>;
