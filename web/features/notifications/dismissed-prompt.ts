import * as z from "zod/mini";
import { unchanged } from "../../../db/shapes/versioned.ts";
import { createStored } from "../../api/cache/storage.ts";

export const storedDismissal = {
  key: "jornada.push-offer",
  shape: z.literal("dismissed"),
  upcasts: [unchanged],
};

/** Set once the driver dismissed the prompt to turn notifications on, on this device. */
export const dismissedPrompt = createStored(storedDismissal);
