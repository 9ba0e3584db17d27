import { useEffect, useRef } from "react";
import { m } from "../../messages/messages.js";
import { currentLocale } from "../language/locale.ts";
import type { ChallengeRound } from "./use-human-challenge.ts";

type Turnstile = {
  render(
    target: HTMLElement,
    options: {
      sitekey: string;
      action: string;
      language: string;
      callback: (token: string) => void;
      "expired-callback": () => void;
      "error-callback": () => void;
    },
  ): string;
  remove(id: string): void;
};

declare global {
  interface Window {
    /** Set by the script of the challenge. */
    turnstile?: Turnstile;
  }
}

let loading: Promise<void> | null = null;

/** Loads the script of the challenge once; after a failure, again with the next form. */
function loadScript(url: string): Promise<void> {
  loading ??= new Promise<void>((resolve, reject) => {
    const script = document.createElement("script");
    script.src = url;
    script.async = true;
    script.addEventListener("load", () => resolve());
    script.addEventListener("error", () => {
      loading = null;
      script.remove();
      reject(new Error("the challenge could not be loaded"));
    });
    document.head.append(script);
  });
  return loading;
}

/** The challenge that shows that a person registers. It makes one token; keyed by its round, it is drawn anew. */
export function HumanChallenge({ siteKey, scriptUrl, onToken }: Omit<ChallengeRound, "round">) {
  const target = useRef<HTMLDivElement>(null);
  const report = useRef(onToken);
  useEffect(() => {
    report.current = onToken;
  });
  useEffect(() => {
    let widget: string | null = null;
    let isGone = false;
    const forget = () => report.current(null);
    const draw = async () => {
      try {
        await loadScript(scriptUrl);
      } catch {
        return forget();
      }
      if (isGone || !target.current || !window.turnstile) return;
      widget = window.turnstile.render(target.current, {
        sitekey: siteKey,
        action: "register",
        language: currentLocale(),
        callback: (token) => report.current(token),
        "expired-callback": forget,
        "error-callback": forget,
      });
    };
    void draw();
    return () => {
      isGone = true;
      if (widget !== null) window.turnstile?.remove(widget);
    };
  }, [siteKey, scriptUrl]);
  return (
    <fieldset aria-label={m.register_challenge()}>
      <div ref={target} className="min-h-16" />
    </fieldset>
  );
}
