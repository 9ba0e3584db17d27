import type { Chance } from "./chance.ts";
import type { CrashMoment, Step } from "./life/object-life.ts";
import type { Fault } from "./script.ts";

/** `times`: how often it is met at most. */
type ActiveFault = { fault: Fault; step: Step | "any"; until: number; share: number; times: number };
type Trap = { moment: CrashMoment; step: Step | "any"; until: number };

/** How long a trap waits for its moment. */
const TRAP_LIFE_MS = 30 * 60_000;

/** The present fault, and the place of the object's next loss. */
export class Faults {
  #active: ActiveFault[] = [];
  #slow: { step: Step; ms: number; until: number }[] = [];
  #traps: Trap[] = [];
  #d1DownUntil = 0;
  /** The end of everything that went wrong so far. */
  lastTroubleAt = -Infinity;
  readonly #chance: Chance;
  readonly #now: () => number;
  readonly #met: (what: string) => void;

  constructor(chance: Chance, now: () => number, met: (what: string) => void) {
    this.#chance = chance;
    this.#now = now;
    this.#met = met;
  }

  begin(fault: ActiveFault): void {
    this.#active.push(fault);
  }

  slow(step: Step, ms: number, until: number): void {
    this.#slow.push({ step, ms, until });
  }

  setTrap(trap: Omit<Trap, "until">): void {
    this.#traps.push({ ...trap, until: this.#now() + TRAP_LIFE_MS });
  }

  breakD1(until: number): void {
    this.#d1DownUntil = until;
  }

  get isD1Down(): boolean {
    return this.#now() < this.#d1DownUntil;
  }

  /** The fate of the request that leaves now. */
  next(step: Step): Fault | null {
    const now = this.#now();
    this.#active = this.#active.filter(({ until }) => until > now);
    const found = this.#active.find(
      (active) => (active.step === step || active.step === "any") && this.#chance.is(active.share),
    );
    if (!found) return null;
    found.times -= 1;
    if (found.times <= 0) this.#active = this.#active.filter((active) => active !== found);
    this.#met(`${found.fault} (${step})`);
    this.lastTroubleAt = now;
    return found.fault;
  }

  /** How much longer than usual the answer takes. */
  delayMs(step: Step): number {
    const now = this.#now();
    this.#slow = this.#slow.filter(({ until }) => until > now);
    return this.#slow.find((slow) => slow.step === step)?.ms ?? 0;
  }

  wantsCrash(moment: CrashMoment, step: Step): boolean {
    const now = this.#now();
    const trap = this.#traps.find(
      (set) => set.moment === moment && (set.step === "any" || set.step === step) && set.until > now,
    );
    if (!trap) return false;
    this.#traps = this.#traps.filter((set) => set !== trap);
    this.#met(`crash: ${moment} (${step})`);
    return true;
  }
}
