import * as z from "zod/mini";
import { blockList } from "../../../db/shapes/work/driver-log.ts";

/** What the screen of blocks shows: what the driver holds, which the live connection knows, or one of the stored lists. */
export const blockTab = z.union([z.literal("upcoming"), blockList]);
export type BlockTab = z.infer<typeof blockTab>;
