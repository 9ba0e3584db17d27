import * as z from "zod/mini";
import { unchanged } from "../../../db/shapes/versioned.ts";
import { createStored } from "../cache/storage.ts";

export const storedPasskeyHints = {
  key: "jornada.passkeys",
  shape: z.object({
    /** `due` from a sign-in by password until the offer is accepted or declined; null before. */
    offer: z.nullable(z.enum(["due", "done"])),
    /** Whether a passkey was made or used in this browser. */
    isKnown: z.boolean(),
    /** The session that a passkey signed in last. */
    session: z.nullable(z.string()),
  }),
  upcasts: [unchanged],
};
type PasskeyHints = z.infer<typeof storedPasskeyHints.shape>;

const stored = createStored(storedPasskeyHints);
const NOTHING: PasskeyHints = { offer: null, isKnown: false, session: null };

/** Whether the browser has passkeys at all. */
export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === "function";
}

/** This browser's memory of passkeys, so that pages without them ask neither server nor driver. */
export function loadPasskeyHints(): PasskeyHints {
  return stored.load() ?? NOTHING;
}

export function notePasskey(change: Partial<PasskeyHints>): void {
  stored.save({ ...loadPasskeyHints(), ...change });
}
