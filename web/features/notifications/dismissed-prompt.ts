import * as z from "zod/mini";
import { unchanged } from "../../../db/shapes/versioned.ts";
import { createStored } from "../../api/storage.ts";

export const storedDismissal = {
  key: "jornada.push-offer",
  shape: z.literal("dismissed"),
  upcasts: [unchanged],
};

/** Whether the driver was asked on this device to turn notifications on, and would not. */
export const dismissedPrompt = createStored(storedDismissal);
