import * as z from "zod/mini";
import { blockList } from "../../../db/shapes/log/driver-log.ts";

/** The list on the screen of blocks: the held ones, which the live connection knows, or one of the stored lists. */
export const blockTab = z.union([z.literal("upcoming"), blockList]);
export type BlockTab = z.infer<typeof blockTab>;
