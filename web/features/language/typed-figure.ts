import { numberFormat } from "../../../locales/format.ts";
import { currentLocale } from "./locale.ts";

/** `1333.5` or `1333,5`: a figure as a field has it, which people type without separators of thousands. */
export function formatTypedFigure(figure: number): string {
  return numberFormat(currentLocale(), { maximumFractionDigits: 2, useGrouping: false }).format(figure);
}
