import { undoSend, type CodeKey } from "../../../db/queries/identity/codes.ts";
import type { Language } from "../../../db/shapes/language.ts";
import type { DriverId } from "../../../db/shapes/units.ts";
import { createPoolContext, type PoolDeps } from "../pool-context.ts";
import { checkCode, makeCode, saveNewCode, type CodeCheck } from "./codes.ts";

/** Codes that prove a driver's preferred number, whichever user pool signs drivers in. */
export type PhoneCodes = {
  /** Texts a code. `limit`: too many, `number`: this number gets no texts, `stopped`: its owner replied STOP, `failed`: the text couldn't be sent. */
  send(message: {
    driverId: DriverId;
    to: string;
    language: Language;
    address: string | null;
  }): Promise<"sent" | "limit" | "number" | "stopped" | "failed">;
  /** Checks a code and, if it's right, uses it up. */
  check(entered: { driverId: DriverId; to: string; code: string }): Promise<CodeCheck>;
};

/** @throws {TypeError} if Cognito clients would reject the pool id */
export function createPhoneCodes(deps: PoolDeps): PhoneCodes {
  const pool = createPoolContext(deps);
  const keyOf = (userId: DriverId): CodeKey => ({ userId, purpose: "preferred_phone" });
  return {
    async send({ driverId, to, language, address }) {
      const key = keyOf(driverId);
      const request = { to, isProved: false, account: driverId, address, isDecoy: false };
      const [admission, { code, hash, tries }] = await Promise.all([
        pool.texts.admitCode(request),
        makeCode(pool, key, to),
      ]);
      if (admission.kind === "refused") return admission.reason === "ceiling" ? "failed" : admission.reason;
      const [isSaved] = await Promise.all([saveNewCode(pool, key, { hash, tries }), admission.prepare()]);
      if (!isSaved) {
        await admission.cancel();
        return "limit";
      }
      const delivery = await admission.send(pool.messages.code(language, code));
      if (delivery.kind === "sent") return "sent";
      await undoSend(pool.db, key, { hash, mayArrive: delivery.mayArrive });
      return delivery.reason === "stopped" ? "stopped" : "failed";
    },
    check: ({ driverId, to, code }) => checkCode(pool, keyOf(driverId), { to, code }),
  };
}
