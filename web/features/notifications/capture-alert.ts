import { createStore } from "@tanstack/react-store";
import * as z from "zod/mini";
import { unchanged } from "../../../db/shapes/versioned.ts";
import { createStored } from "../../api/cache/storage.ts";

const captureAlertSchema = z.object({ sound: z.boolean(), vibration: z.boolean() });
/** How this device announces a capture while the page is open. */
export type CaptureAlert = z.infer<typeof captureAlertSchema>;
export const storedCaptureAlert = {
  key: "jornada.signal",
  shape: captureAlertSchema,
  upcasts: [unchanged],
};
const stored = createStored(storedCaptureAlert);

export const captureAlertStore = createStore<CaptureAlert>(
  stored.load() ?? { sound: false, vibration: false },
);

export function updateCaptureAlert(change: Partial<CaptureAlert>): void {
  captureAlertStore.setState((known) => ({ ...known, ...change }));
  stored.save(captureAlertStore.get());
}

export function canVibrate(): boolean {
  return "vibrate" in navigator;
}

/** Plays what the driver turned on. */
export function alertCapture(): void {
  const { sound, vibration } = captureAlertStore.get();
  if (sound) playCaptureSound();
  if (vibration) vibrateForCapture();
}

/** Two short notes, the second higher. Silent where the browser requires a tap on the page first. */
export function playCaptureSound(): void {
  if (!("AudioContext" in window)) return;
  const context = new AudioContext();
  const start = context.currentTime + 0.02;
  const last = [659, 988]
    .map((pitch, index) => playNote(context, { pitch, at: start + index * 0.13 }))
    .at(-1);
  last?.addEventListener("ended", () => void context.close());
  // A blocked sound would otherwise play at some later tap.
  if (context.state === "suspended") void context.close();
}

export function vibrateForCapture(): void {
  if (canVibrate()) navigator.vibrate([90, 60, 180]);
}

function playNote(context: AudioContext, { pitch, at }: { pitch: number; at: number }): OscillatorNode {
  const tone = new OscillatorNode(context, { type: "triangle", frequency: pitch });
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(0, at);
  volume.gain.linearRampToValueAtTime(0.25, at + 0.015);
  volume.gain.exponentialRampToValueAtTime(0.001, at + 0.3);
  tone.connect(volume).connect(context.destination);
  tone.start(at);
  tone.stop(at + 0.32);
  return tone;
}
