import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { BUILD_DIR } from "../support/runtime/built-app.ts";
import { quietMiniflare } from "../support/runtime/quiet-miniflare.ts";
import { DEMO_SETTINGS } from "../support/settings.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const wrangler = `${root}/node_modules/.bin/wrangler`;
const CONFIG = `${BUILD_DIR}/jornada/wrangler.crash.json`;
const START_LIMIT_MS = 60_000;

/** The built product as a program of its own, whose storage outlives it. */
export class Product {
  readonly origin: string;
  readonly #state: string;
  readonly #port: number;
  #process: ChildProcess | null = null;

  private constructor(port: number, state: string) {
    this.#port = port;
    this.#state = state;
    this.origin = `http://localhost:${port}`;
  }

  /** Prepares an empty database. `outside` serves everything that the product calls. */
  static async prepare(outside: string, settings: Record<string, string> = {}): Promise<Product> {
    const product = new Product(await freePort(), mkdtempSync(`${tmpdir()}/jornada-crash-`));
    const config: Record<string, unknown> = JSON.parse(
      readFileSync(`${BUILD_DIR}/jornada/wrangler.json`, "utf8"),
    );
    const vars = {
      ...DEMO_SETTINGS,
      PUBLIC_URL: product.origin,
      IDENTITY: "embedded",
      PLATFORM_URL: outside,
      TWILIO_URL: outside,
      STRIPE_URL: outside,
      POLL_FLOOR_MS: "500",
      // A text for each capture is expected.
      TEXTS_PER_DRIVER: "1000",
      ...settings,
    };
    writeFileSync(CONFIG, JSON.stringify({ ...config, services: [], vars }));
    const args = [
      "d1",
      "migrations",
      "apply",
      "jornada",
      "--local",
      "--persist-to",
      product.#state,
      "--config",
      CONFIG,
    ];
    execFileSync(wrangler, args, { stdio: "pipe", env: { ...process.env, CI: "true" } });
    return product;
  }

  /** Starts it, and waits until it answers. */
  async start(): Promise<void> {
    quietMiniflare();
    const args = ["dev", "--config", CONFIG, "--port", String(this.#port), "--persist-to", this.#state];
    // A group of its own, so that the runtime dies together with the tool that started it.
    this.#process = spawn(
      wrangler,
      [...args, "--inspector-port", "0", "--show-interactive-dev-session=false"],
      {
        detached: true,
        stdio: "ignore",
        env: { ...process.env, WRANGLER_SEND_METRICS: "false" },
      },
    );
    const until = Date.now() + START_LIMIT_MS;
    while (Date.now() < until) {
      const answer = await fetch(`${this.origin}/status/health`).catch(() => null);
      if (answer?.ok) return;
      await pause(100);
    }
    throw new Error("the product did not start");
  }

  /** The folder of its database's file. */
  get databases(): string {
    return `${this.#state}/v3/d1/miniflare-D1DatabaseObject`;
  }

  /** Runs a cron, as Cloudflare would. */
  async runCron(cron: string): Promise<void> {
    const answer = await fetch(`${this.origin}/cdn-cgi/handler/scheduled?cron=${encodeURIComponent(cron)}`);
    if (!answer.ok) throw new Error(`the cron ${cron} answered ${answer.status}`);
  }

  /** `kill -9`: the tool and the runtime at once, wherever they are. */
  async kill(): Promise<void> {
    const running = this.#process;
    if (!running?.pid) return;
    const ended = new Promise((resolve) => running.once("exit", resolve));
    process.kill(-running.pid, "SIGKILL");
    await ended;
    this.#process = null;
  }

  async dispose(): Promise<void> {
    await this.kill();
    rmSync(this.#state, { recursive: true, force: true });
    rmSync(CONFIG, { force: true });
  }
}

export function pause(lengthMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, lengthMs));
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.listen(0, "localhost", () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === "object" && address ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}
