import type { Appearance } from "@stripe/stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure";
import { useEffect, useState } from "react";
import { loadOnce } from "../../api/client/load-once.ts";

/** Stripe's library. */
export const loadStripeOnce = loadOnce((publishableKey: string) => loadStripe(publishableKey));

/** Stripe's card form in the page's colors; follows changes of the theme. */
export function useStripeAppearance(): Appearance {
  const [appearance, setAppearance] = useState(computeAppearance);
  useEffect(() => {
    const observer = new MutationObserver(() => setAppearance(computeAppearance()));
    observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    return () => observer.disconnect();
  }, []);
  return appearance;
}

function computeAppearance(): Appearance {
  const root = document.documentElement;
  const style = getComputedStyle(root);
  const color = (name: string) => toHex(style.getPropertyValue(name).trim());
  return {
    theme: root.dataset["theme"] === "dark" ? "night" : "stripe",
    variables: {
      colorPrimary: color("--ink"),
      colorBackground: color("--raised"),
      colorText: color("--ink"),
      colorTextSecondary: color("--ink-soft"),
      colorTextPlaceholder: color("--ink-soft"),
      colorDanger: color("--bad"),
      fontFamily: "system-ui, -apple-system, Segoe UI, Roboto, Helvetica Neue, sans-serif",
      fontSizeBase: "16px",
      borderRadius: "10px",
      spacingUnit: "4px",
    },
    rules: {
      ".Input": { border: `1px solid ${color("--edge")}`, boxShadow: "none" },
      ".Input:focus": {
        border: `1px solid ${color("--focus")}`,
        boxShadow: `0 0 0 2px ${color("--focus")}`,
      },
      ".Label": { fontWeight: "600", color: color("--ink") },
    },
  };
}

/** Converts oklch to hex, which is what Stripe takes, by painting a canvas. */
function toHex(color: string): string {
  const canvas = document.createElement("canvas");
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext("2d");
  if (!context) return color;
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const channels = context.getImageData(0, 0, 1, 1).data.slice(0, 3);
  return `#${[...channels].map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}
