import { Hono } from "hono";
import type { UndoResponse } from "../../contract/account/undo.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { opens } from "../../http/gate/gate.ts";
import { noteSecurity } from "../../http/gate/note-security.ts";
import { byUndoToken } from "../../http/tokens/undo-token.ts";

const SHOWN_DIGITS = 4;

/** The effect of the link in a text about a changed account. */
export const undoRoutes = new Hono<AppEnv>()
  .get("/", opens(byUndoToken), (c) => {
    const { kind, changedAt, expiresAt, phoneNumber, language } = c.var.undo;
    if (kind === "deleted") throw new ApiError("undo_expired");
    const phoneEnd = phoneNumber.slice(-SHOWN_DIGITS);
    const shown = kind === "recovery" ? "password" : kind;
    return c.json({ kind: shown, changedAt, expiresAt, phoneEnd, language } satisfies UndoResponse, 200);
  })
  .post("/", opens(byUndoToken), async (c) => {
    const result = await c.var.userPool?.undo(c.var.undo);
    if (result === "taken") throw new ApiError("conflict");
    if (result !== "undone") throw new ApiError("undo_expired");
    await noteSecurity(c, "change_undone", { account: c.var.undo.userId });
    return c.body(null, 204);
  });
