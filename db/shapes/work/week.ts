import * as z from "zod/mini";
import { cents } from "../units.ts";

/** A week in figures: the blocks that Jornada captured in it, and those that began in it and were worked. */
export const weekFigures = z.object({
  captured: z.object({ blocks: z.int(), payCents: cents }),
  worked: z.object({ blocks: z.int(), minutes: z.int(), payCents: cents }),
});
export type WeekFigures = z.infer<typeof weekFigures>;
