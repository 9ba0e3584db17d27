import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { surround, type Surroundings } from "./surrounded-part.ts";

/** The HTML of a part of a driver's screen, whose queries have been answered. */
export async function htmlOfPart(part: ReactNode, surroundings?: Surroundings): Promise<string> {
  return renderToStaticMarkup((await surround(part, surroundings)).surrounded);
}
