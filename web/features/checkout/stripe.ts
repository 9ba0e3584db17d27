import type { Stripe, Appearance } from "@stripe/stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure";
import { useEffect, useState } from "react";
import type { DurationMs } from "../../../db/shapes/units.ts";

/** Loaded once a page, however often a form mounts. */
let stripePromise: Promise<Stripe | null> | null = null;

/** A network may swallow the library's script without a word. */
const LOADS_WITHIN_MS: DurationMs = 20_000;

/** Stripe's library; a load that failed is tried again by the next call. */
export function loadStripeOnce(publishableKey: string): Promise<Stripe | null> {
  stripePromise ??= loadInTime(publishableKey).catch((error: unknown) => {
    stripePromise = null;
    throw error;
  });
  return stripePromise;
}

function loadInTime(publishableKey: string): Promise<Stripe | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("Stripe's library is late")), LOADS_WITHIN_MS);
    loadStripe(publishableKey)
      .finally(() => clearTimeout(timer))
      .then(resolve, reject);
  });
}

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
