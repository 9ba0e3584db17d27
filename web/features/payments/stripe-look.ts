import type { Appearance } from "@stripe/stripe-js";
import { useEffect, useState } from "react";

/** The card form in the page's own colours; it follows a change of theme. */
export function useStripeLook(): Appearance {
  const [look, setLook] = useState(readLook);
  useEffect(() => {
    const watch = new MutationObserver(() => setLook(readLook()));
    watch.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => watch.disconnect();
  }, []);
  return look;
}

function readLook(): Appearance {
  const root = document.documentElement;
  const style = getComputedStyle(root);
  const colour = (name: string) => toHex(style.getPropertyValue(name).trim());
  return {
    theme: root.dataset["theme"] === "dark" ? "night" : "stripe",
    variables: {
      colorPrimary: colour("--ink"),
      colorBackground: colour("--raised"),
      colorText: colour("--ink"),
      colorTextSecondary: colour("--ink-soft"),
      colorTextPlaceholder: colour("--ink-soft"),
      colorDanger: colour("--bad"),
      fontFamily: "system-ui, -apple-system, Segoe UI, Roboto, Helvetica Neue, sans-serif",
      fontSizeBase: "16px",
      borderRadius: "10px",
      spacingUnit: "4px",
    },
    rules: {
      ".Input": { border: `1px solid ${colour("--edge")}`, boxShadow: "none" },
      ".Input:focus": {
        border: `1px solid ${colour("--focus")}`,
        boxShadow: `0 0 0 2px ${colour("--focus")}`,
      },
      ".Label": { fontWeight: "600", color: colour("--ink") },
    },
  };
}

/** Stripe reads hex; our colours are written in oklch, which a canvas knows how to paint. */
function toHex(colour: string): string {
  const canvas = document.createElement("canvas");
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext("2d");
  if (!context) return colour;
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const channels = context.getImageData(0, 0, 1, 1).data.slice(0, 3);
  return `#${[...channels].map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}
