import { Hono, type Context } from "hono";
import {
  newPasskeyInput,
  passkeyChange,
  passkeyParams,
  type Passkey,
  type PasskeyOfferResponse,
  type PasskeysResponse,
} from "../../contract/account/passkeys.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { freshSignIn } from "../../http/gate/fresh-sign-in.ts";
import { ahead, readsAhead } from "../../http/gate/read-ahead.ts";
import { noteSecurity } from "../../http/gate/note-security.ts";
import { validate } from "../../http/validate.ts";
import { MAX_PASSKEYS } from "../../identity/passkeys/registration.ts";
import { loadCallerRecord, recordAhead } from "../caller.ts";

const removalAhead = ahead(async (c, userId, originJti) => {
  const { userPool } = c.var;
  return userPool && originJti !== null ? userPool.loadPasskeyRemoval({ userId, originJti }) : null;
});

/** The driver's passkeys at our own pool. */
export const passkeyRoutes = new Hono<AppEnv>()
  .get("/", async (c) => {
    const { pool, caller } = requirePool(c);
    const { passkeys, current, removableFrom, recoveredAt } = await pool.viewPasskeys(caller);
    const shown = passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      createdAt,
      lastUsedAt,
      isCurrent: id === current,
    }));
    const response = { passkeys: shown, limit: MAX_PASSKEYS, removableFrom, recoveredAt };
    return c.json(response satisfies PasskeysResponse, 200);
  })
  .post("/offer", recordAhead, freshSignIn, async (c) => {
    const { pool, caller } = requirePool(c);
    const { row } = await loadCallerRecord(c);
    const offer = await pool.offerPasskey(caller, row.name);
    if (offer === "full") throw new ApiError("passkeys_full");
    if (offer === "gone") throw new ApiError("not_found");
    const { options, ticket } = offer;
    return c.json({ options: { ...options }, ticket } satisfies PasskeyOfferResponse, 200);
  })
  .post("/", freshSignIn, validate("json", newPasskeyInput), async (c) => {
    const { pool, caller } = requirePool(c);
    const made = await pool.acceptPasskey(caller, c.req.valid("json"));
    switch (made) {
      case "full":
        throw new ApiError("passkeys_full");
      case "busy":
        throw new ApiError("rate_limited");
      case "refused":
        throw new ApiError("invalid_request", { fields: { credential: "invalid" } });
    }
    await noteSecurity(c, "passkey_added");
    const { id, name, createdAt, lastUsedAt } = made;
    return c.json({ id, name, createdAt, lastUsedAt, isCurrent: false } satisfies Passkey, 200);
  })
  .post("/undo-recovery", async (c) => {
    const { pool, caller } = requirePool(c);
    const result = await pool.undoRecovery(caller);
    if (result === "taken") throw new ApiError("conflict");
    if (result !== "undone") throw new ApiError("undo_expired");
    await noteSecurity(c, "change_undone");
    return c.body(null, 204);
  })
  .patch("/:id", validate("param", passkeyParams), validate("json", passkeyChange), async (c) => {
    const { pool, caller } = requirePool(c);
    const passkey = { ...c.req.valid("param"), ...c.req.valid("json"), userId: caller.userId };
    if (!(await pool.namePasskey(passkey))) throw new ApiError("not_found");
    return c.body(null, 204);
  })
  .delete(
    "/:id",
    freshSignIn,
    readsAhead(removalAhead.start),
    validate("param", passkeyParams),
    async (c) => {
      const { pool, caller } = requirePool(c);
      const removal = await removalAhead.of(c);
      const { id } = c.req.valid("param");
      const result = removal ? await pool.endPasskey(caller, id, removal) : "gone";
      switch (result) {
        case "waiting":
          throw new ApiError("passkeys_held");
        case "busy":
          throw new ApiError("rate_limited");
        case "gone":
          throw new ApiError("not_found");
      }
      await noteSecurity(c, "passkey_removed");
      return c.body(null, 204);
    },
  );

/** @throws {ApiError} `not_found` if another pool signs drivers in, whose passkeys we don't know */
function requirePool(c: Context<AppEnv>) {
  const { userPool: pool, caller } = c.var;
  if (!pool || caller.sessionId === null) throw new ApiError("not_found");
  return { pool, caller: { userId: caller.driverId, originJti: caller.sessionId } };
}
