/** The purposes of calls, those first that most depends on. */
const LANES = ["poll", "accept", "checkIn", "blocks", "news", "rest"] as const;
export type LaneName = (typeof LANES)[number];

/** How many of each may be under way at once. */
const MOST: Readonly<Record<LaneName, number>> = {
  poll: 1,
  accept: 4,
  checkIn: 1,
  blocks: 1,
  news: 1,
  rest: 1,
};

/**
 * The connections of an object, of which the runtime lets six wait for their headers at once: the seventh would wait for any of
 * them. One is kept for polls and one for what a check-in or an accept waits for, so that neither a hanging side call nor four
 * hanging accepts hold them up. Of the other four the accepts have all but those that texts, pushes and side calls have
 * just now.
 */
const CONNECTIONS = 6;
const KEPT_FOR_POLLS = 1;
const KEPT_FOR_READS = 1;

/** Runs a call in its turn. Its time limit begins then: one that has waited is as good as any other. */
export type InTurn = <Result>(call: () => Promise<Result>) => Promise<Result>;

type Waiting = { lane: LaneName; start: () => void };

/** Lets calls run as far as there are connections for them. The others wait, those first that most depends on. */
export class Connections {
  readonly #running = new Map<LaneName, number>(LANES.map((lane) => [lane, 0]));
  #waiting: Waiting[] = [];

  /** @param goesFirst whether it comes before the others of its lane that wait */
  async run<Result>(
    lane: LaneName,
    work: () => Promise<Result>,
    { goesFirst = false }: { goesFirst?: boolean } = {},
  ): Promise<Result> {
    if (this.#hasRoom(lane) && !this.#waiting.some((other) => other.lane === lane)) this.#count(lane, 1);
    else await new Promise<void>((start) => this.#wait({ lane, start }, goesFirst));
    try {
      return await work();
    } finally {
      this.#count(lane, -1);
      this.#startWaiting();
    }
  }

  #wait(waiting: Waiting, goesFirst: boolean): void {
    if (goesFirst) this.#waiting.unshift(waiting);
    else this.#waiting.push(waiting);
  }

  #startWaiting(): void {
    for (const lane of LANES) {
      for (let next = this.#next(lane); next; next = this.#next(lane)) {
        this.#waiting = this.#waiting.filter((other) => other !== next);
        this.#count(lane, 1);
        next.start();
      }
    }
  }

  #next(lane: LaneName): Waiting | undefined {
    return this.#hasRoom(lane) ? this.#waiting.find((waiting) => waiting.lane === lane) : undefined;
  }

  #hasRoom(lane: LaneName): boolean {
    if (this.#of(lane) >= MOST[lane]) return false;
    if (lane === "poll") return true;
    const besidePolls = LANES.reduce((sum, other) => (other === "poll" ? sum : sum + this.#of(other)), 0);
    const isKept = lane === "checkIn" || lane === "blocks";
    const most = CONNECTIONS - KEPT_FOR_POLLS - (isKept ? 0 : KEPT_FOR_READS);
    return besidePolls < most;
  }

  #of(lane: LaneName): number {
    return this.#running.get(lane) ?? 0;
  }

  #count(lane: LaneName, change: number): void {
    this.#running.set(lane, this.#of(lane) + change);
  }
}
