import { sessionStore } from "../../api/session/session.ts";

/** Microsoft Clarity's calls, which any recorder that keeps the same contract can stand in for. */
type Recorder = {
  (command: "consentv2", storage: { ad_Storage: Consent; analytics_Storage: Consent }): void;
  (command: "identify", id: string): void;
  (command: "set", key: string, value: string): void;
  (command: "stop"): void;
  /** Calls made before the script is here. */
  q?: unknown[][];
};
type Consent = "granted" | "denied";

declare global {
  interface Window {
    clarity?: Recorder;
  }
}

/** Those that the recorder sets on our own origin. */
const COOKIES = ["_clck", "_clsk"];

let status: "idle" | "recording" | "stopped" = "idle";

/**
 * Loads the recorder, for a driver who agreed. It sees layout and taps, never a word or a number: everything on the page is
 * masked before it starts. It ends with the session, and one that was stopped begins again with the next page load only.
 */
export function startRecording({
  scriptUrl,
  tag,
  phoneNumber,
}: {
  scriptUrl: string;
  tag: string | null;
  phoneNumber: string;
}): void {
  if (status !== "idle") return;
  status = "recording";
  document.body.dataset["clarityMask"] = "true";
  const calls: unknown[][] = [];
  const recorder: Recorder = Object.assign((...call: unknown[]) => void calls.push(call), { q: calls });
  window.clarity = recorder;
  recorder("consentv2", { ad_Storage: "denied", analytics_Storage: "granted" });
  recorder("identify", phoneNumber);
  if (tag !== null) recorder("set", "tag", tag);
  const script = document.createElement("script");
  script.src = scriptUrl;
  script.async = true;
  // It may have been stopped while it was on its way.
  script.addEventListener("load", () => status === "stopped" && window.clarity?.("stop"));
  document.head.append(script);
  const { unsubscribe } = sessionStore.subscribe(() => {
    if (sessionStore.state) return;
    unsubscribe();
    stopRecording();
  });
}

/** Stops at once and forgets what the recorder kept on the device. */
export function stopRecording(): void {
  if (status !== "recording") return;
  status = "stopped";
  window.clarity?.("consentv2", { ad_Storage: "denied", analytics_Storage: "denied" });
  window.clarity?.("stop");
  for (const name of COOKIES) document.cookie = `${name}=; path=/; max-age=0`;
}
