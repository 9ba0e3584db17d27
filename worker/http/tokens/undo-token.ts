import { ApiError } from "../errors/api-error.ts";
import type { Opening } from "../gate/gate.ts";

/** `Authorization: Undo`: the owner of an account, by the link in a text that told of a change. */
export const byUndoToken: Opening = async (c) => {
  const [scheme, token] = (c.req.header("authorization") ?? "").split(" ");
  if (scheme?.toLowerCase() !== "undo" || !token) throw new ApiError("unauthenticated");
  const change = (await c.var.userPool?.findUndo(token)) ?? null;
  if (!change) throw new ApiError("undo_expired");
  c.set("undo", change);
  return { driverId: change.userId, phoneNumber: null, sessionId: null, signedInAt: null };
};
