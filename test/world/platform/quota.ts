/** The platform's limit on reading offers. */
export type QuotaRule = { kind: "none" | "fixed" | "sliding"; limit: number; windowMs: number };

/** Counts what was used of a quota, by the product and by the driver's own app. */
export class QuotaMeter {
  rule: QuotaRule;
  /** The calls of the driver's own app. */
  readonly appCalls: number[] = [];
  #used: number[] = [];

  constructor(rule: QuotaRule) {
    this.rule = rule;
  }

  /** Uses one call for the driver's own app. */
  useByApp(now: number): void {
    if (!this.use(now).isRefused) this.appCalls.push(now);
  }

  /** Uses one call. `headers` tell what is left; `isRefused` if nothing was. */
  use(now: number): { isRefused: boolean; retrySeconds: number; headers: Record<string, string> } {
    const { kind, limit, windowMs } = this.rule;
    if (kind === "none") return { isRefused: false, retrySeconds: 0, headers: {} };
    const opensAt = kind === "fixed" ? now - (now % windowMs) : now - windowMs;
    this.#used = this.#used.filter((at) => at > opensAt || (kind === "fixed" && at === opensAt));
    const isRefused = this.#used.length >= limit;
    if (!isRefused) this.#used.push(now);
    // 'Seconds until the quota is full again'.
    const fullAt = kind === "fixed" ? opensAt + windowMs : (this.#used.at(-1) ?? now) + windowMs;
    // Where the limit has shrunk, more than one call has to leave first.
    const leaves = this.#used[Math.max(0, this.#used.length - limit)] ?? now;
    const freeAt = kind === "fixed" ? fullAt : leaves + windowMs;
    return {
      isRefused,
      retrySeconds: Math.max(1, Math.ceil((freeAt - now) / 1000)),
      headers: {
        "ratelimit-limit": String(limit),
        "ratelimit-remaining": String(Math.max(0, limit - this.#used.length)),
        "ratelimit-reset": String(Math.max(0, Math.ceil((fullAt - now) / 1000))),
      },
    };
  }
}
