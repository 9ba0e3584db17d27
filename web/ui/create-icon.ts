import type { LucideProps } from "lucide-react";
import { createElement } from "react";

/** An icon's shapes, as lucide's files have them without their keys. */
type IconShapes = readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[];

/**
 * In place of lucide's own function of this kind (`web/build/small-modules.ts`), whose icons also read a context and a dozen of
 * settings that no screen sets. Hidden from screen readers, unless its place says otherwise.
 */
export function createIcon(node: IconShapes) {
  const shapes = node.map(([tag, attributes]) => createElement(tag, attributes));
  return (props: Omit<LucideProps, "ref">) =>
    createElement(
      "svg",
      {
        width: 24,
        height: 24,
        viewBox: "0 0 24 24",
        fill: "none",
        stroke: "currentColor",
        strokeWidth: 2,
        strokeLinecap: "round",
        strokeLinejoin: "round",
        "aria-hidden": true,
        ...props,
      },
      ...shapes,
    );
}
