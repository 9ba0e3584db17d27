import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  alertCapture,
  canVibrate,
  captureAlertStore,
  updateCaptureAlert,
} from "../../../web/features/notifications/capture-alert.ts";

/** The notes of one sound, as the device plays them. */
type Note = { pitch: number; from: number; to: number; peak: number };
let notes: Note[];
let ended: (() => void)[];
let state: "running" | "suspended";
let closed: number;
let vibrated: unknown[];

class Context {
  readonly currentTime = 10;
  readonly destination = {};
  readonly state = state;
  async close(): Promise<void> {
    closed++;
  }
}
class Oscillator {
  readonly #note: Note;
  constructor(_context: Context, { frequency }: { frequency: number }) {
    this.#note = { pitch: frequency, from: 0, to: 0, peak: 0 };
    notes.push(this.#note);
  }
  connect(gain: Gain): { connect: () => void } {
    return { connect: () => void (this.#note.peak = gain.peak) };
  }
  start(at: number): void {
    this.#note.from = at;
  }
  stop(at: number): void {
    this.#note.to = at;
  }
  addEventListener(_type: string, listener: () => void): void {
    ended.push(listener);
  }
}
class Gain {
  peak = 0;
  readonly gain = {
    setValueAtTime: () => undefined,
    linearRampToValueAtTime: (value: number) => void (this.peak = value),
    exponentialRampToValueAtTime: () => undefined,
  };
}

beforeEach(() => {
  [notes, ended, closed, vibrated, state] = [[], [], 0, [], "running"];
  vi.stubGlobal("AudioContext", Context);
  vi.stubGlobal("window", { AudioContext: Context });
  vi.stubGlobal("OscillatorNode", Oscillator);
  vi.stubGlobal("GainNode", Gain);
  vi.stubGlobal("navigator", { vibrate: (pattern: unknown) => vibrated.push(pattern) });
});
afterEach(() => {
  captureAlertStore.setState(() => ({ sound: false, vibration: false }));
  vi.unstubAllGlobals();
});

it.each([
  { sound: false, vibration: false },
  { sound: true, vibration: false },
  { sound: false, vibration: true },
  { sound: true, vibration: true },
])("announces a capture as the driver wants it: %o", ({ sound, vibration }) => {
  updateCaptureAlert({ sound });
  updateCaptureAlert({ vibration });
  alertCapture();
  expect([notes.length > 0, vibrated.length > 0]).toEqual([sound, vibration]);
});

it("plays two notes, the second higher and after the first begins, and lets the sound go after the last", () => {
  captureAlertStore.setState(() => ({ sound: true, vibration: false }));
  alertCapture();
  const [first, second] = notes;
  expect([notes.length, first?.peak, second?.peak]).toEqual([2, 0.25, 0.25]);
  expect(second?.pitch).toBeGreaterThan(first?.pitch ?? Infinity);
  expect(first?.from).toBeGreaterThan(10);
  expect(second?.from).toBeGreaterThan(first?.from ?? Infinity);
  for (const { from, to } of notes) expect(to).toBeGreaterThan(from);
  expect([ended.length, closed]).toEqual([1, 0]);
  for (const end of ended) end();
  expect(closed).toBe(1);
});

it("plays nothing later where the browser wants a tap first", () => {
  state = "suspended";
  captureAlertStore.setState(() => ({ sound: true, vibration: false }));
  alertCapture();
  expect(closed).toBe(1);
});

it("does without what the device lacks", () => {
  vi.stubGlobal("window", {});
  vi.stubGlobal("navigator", {});
  captureAlertStore.setState(() => ({ sound: true, vibration: true }));
  alertCapture();
  expect([notes, vibrated, canVibrate()]).toEqual([[], [], false]);
});
