import * as z from "zod/mini";
import { language } from "../../../db/shapes/language.ts";
import { epochMs } from "../../../db/shapes/units.ts";
import type { ApiRoute } from "../api-route.ts";

/** GET /flex/v1/undo: the change that the link in a text undoes. */
export const undoResponse = z.object({
  kind: z.enum(["phone", "password", "factors", "passkeys", "other"]),
  changedAt: epochMs,
  /** The link works until then, once. */
  expiresAt: epochMs,
  /** The number that the account has afterwards: its last four digits. */
  phoneEnd: z.string(),
  /** The language of the text. */
  language,
});
export type UndoResponse = z.infer<typeof undoResponse>;

/** The link that undoes a change of an account. */
export const UNDO_ROUTES = {
  "GET /flex/v1/undo": {
    summary: "The change of an account that the link in a text undoes. It works once, within seven days.",
    auth: "undo",
    responses: { 200: undoResponse },
    errors: ["undo_expired"],
  },
  "POST /flex/v1/undo": {
    summary:
      "Undoes it: the account has its number and its passkeys back and no second factor, is signed out everywhere, and needs a new password, by a code to that number.",
    auth: "undo",
    responses: { 204: null },
    errors: ["undo_expired", "conflict"],
  },
} as const satisfies Record<string, ApiRoute>;
